//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestShop

/// `Bench [--only tokens|payments|durable|reports|exports|server|dialects|DIALECT] [--pomona PATH] [--payments N]
/// [--pace N] [--peers PYTHON] [--json FILE]`: prints the table of docs/performance.md, and writes it to a file for programs.
@main
struct Main {
    /// What `--only` takes, beside a dialect's name.
    private static let parts = ["tokens", "payments", "durable", "reports", "exports", "server", "dialects"]

    static func main() async throws {
        let arguments = CommandLine.arguments
        let option = { (name: String) in
            arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        }
        if let python = option("--peers"), let path = option("--pomona") {
            try await self.runPeers(python: URL(filePath: python), executable: URL(filePath: path), option("--json"))
            return
        }
        let only = option("--only")
        let parts = Self.parts + ShopDialects.all.map(\.name)
        if let only, !parts.contains(only) {
            throw BenchError("there is no part \(only); there are \(parts.joined(separator: ", "))")
        }
        var rows: [Row] = []
        if only == nil || only == "tokens" { rows += try TokenBenchmark.run() }
        if only == nil || only == "payments" { rows += try await PaymentBenchmark.run() }
        if only == nil || only == "durable" { rows += try await StoreBenchmark.run() }
        if only == nil || only == "reports" {
            rows += try await ReportBenchmark.run(many: option("--payments").flatMap { Int($0) } ?? 100_000)
        }
        if only == nil || only == "exports", let path = option("--pomona") {
            rows += try await Harness.withDirectory { directory in
                try await ExportBenchmark(
                    executable: URL(filePath: path), directory: directory,
                    many: option("--payments").flatMap { Int($0) } ?? 100_000
                ).run()
            }
        }
        if only == nil || only == "server", let path = option("--pomona") {
            rows += try await Harness.withDirectory { directory in
                try await ServerBenchmark(
                    executable: URL(filePath: path), directory: directory.appending(path: "data"),
                    paymentsCount: option("--payments").flatMap { Int($0) } ?? 5000
                ).run()
            }
        }
        let dialects = ShopDialects.all.filter { [nil, "dialects", $0.name].contains(only) }
        if !dialects.isEmpty, let path = option("--pomona") {
            rows += try await Harness.withDirectory { directory in
                try await DialectBenchmark(
                    executable: URL(filePath: path), directory: directory.appending(path: "data"), dialects: dialects,
                    paymentsCount: option("--payments").flatMap { Int($0) } ?? 5000,
                    perSecond: option("--pace").flatMap { Double($0) }
                ).run()
            }
        }
        try self.report(rows, option("--json"))
    }

    /// With the floors beside them: SQLite's own loop, and PostgreSQL's commits (pgbench).
    private static func runPeers(python: URL, executable: URL, _ path: String?) async throws {
        // Where this file is.
        let scripts = URL(filePath: #filePath).appending(path: "../../../Peers").standardizedFileURL
        var rows = try await Harness.withDirectory { directory in
            try await PeerBenchmark(python: python, scripts: scripts, executable: executable, directory: directory)
                .run()
        }
        rows += try await PaymentBenchmark.run()
        rows += try await StoreBenchmark.run()
        try self.report(rows, path)
    }

    private static func report(_ rows: [Row], _ path: String?) throws {
        Harness.show(rows)
        if let path { try Harness.write(rows, to: path) }
    }
}
