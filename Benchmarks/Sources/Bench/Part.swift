//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestShop

/// A part of the table, which `--only` runs alone.
struct Part: Sendable {
    let name: String
    /// Of what it measures together, the names of what can be measured alone.
    var shares: [String] = []
    /// - Throws: ``BenchError``, and what the measured work throws.
    let measure: @Sendable (Options) async throws -> [Row]

    static let all = [
        Part(name: "tokens") { _ in try TokenBenchmark.run() },
        Part(name: "payments") { _ in try await PaymentBenchmark.run() },
        Part(name: "durable") { _ in try await StoreBenchmark.run() },
        Part(name: "reports") { try await ReportBenchmark.run(many: $0.paymentsCount ?? 100_000) },
        Part(name: "exports") { options in
            try await Self.withProgram(options) { program, directory in
                try await ExportBenchmark(
                    executable: program, directory: directory, many: options.paymentsCount ?? 100_000
                ).run()
            }
        },
        Part(name: "server") { options in
            try await Self.withProgram(options) { program, directory in
                try await ServerBenchmark(
                    executable: program, directory: directory.appending(path: "data"),
                    paymentsCount: options.paymentsCount ?? 5000
                ).run()
            }
        },
        Part(name: "dialects", shares: ShopDialects.all.map { $0.name }) { options in
            let dialects = ShopDialects.all.filter { [nil, "dialects", $0.name].contains(options.only) }
            return try await Self.withDialects(options) { try await $0.run(dialects) }
        },
        Part(name: "mpgs") { options in try await Self.withDialects(options) { try await $0.runThroughMPGS() } },
    ]

    var names: [String] { [self.name] + self.shares }

    /// Measures the program in a directory of its own; nothing where there is none.
    private static func withProgram(
        _ options: Options, _ body: (URL, URL) async throws -> [Row]
    ) async throws -> [Row] {
        guard let program = options.program else { return [] }
        return try await Harness.withDirectory { try await body(program, $0) }
    }

    private static func withDialects(
        _ options: Options, _ body: (DialectBenchmark) async throws -> [Row]
    ) async throws -> [Row] {
        try await self.withProgram(options) { program, directory in
            try await body(
                DialectBenchmark(
                    executable: program, directory: directory.appending(path: "data"),
                    paymentsCount: options.paymentsCount ?? 5000, perSecond: options.perSecond))
        }
    }
}
