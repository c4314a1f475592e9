//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// `Bench [--only PART] [--pomona PATH] [--payments N] [--pace N] [--peers PYTHON] [--json FILE]`: prints the table of
/// docs/performance.md, and writes it to a file for programs.
@main
struct Main {
    static func main() async throws {
        let options = Options(CommandLine.arguments)
        let rows: [Row]
        if let python = options.peers, let program = options.program {
            rows = try await self.peers(python, program)
        } else {
            rows = try await self.parts(options)
        }
        Harness.show(rows)
        if let path = options.path { try Harness.write(rows, to: path) }
    }

    private static func parts(_ options: Options) async throws -> [Row] {
        let parts = Part.all.filter { part in options.only.map { part.names.contains($0) } ?? true }
        guard !parts.isEmpty else {
            let names = Part.all.flatMap(\.names).joined(separator: ", ")
            throw BenchError("there is no part \(options.only ?? ""); there are \(names)")
        }
        var rows: [Row] = []
        for part in parts { rows += try await part.measure(options) }
        return rows
    }

    /// With the floors beside them: SQLite's own loop, and PostgreSQL's commits (pgbench).
    private static func peers(_ python: URL, _ program: URL) async throws -> [Row] {
        // Where this file is.
        let scripts = URL(filePath: #filePath).appending(path: "../../../Peers").standardizedFileURL
        let rows = try await Harness.withDirectory { directory in
            try await PeerBenchmark(python: python, scripts: scripts, executable: program, directory: directory).run()
        }
        return try await rows + PaymentBenchmark.run() + StoreBenchmark.run()
    }
}
