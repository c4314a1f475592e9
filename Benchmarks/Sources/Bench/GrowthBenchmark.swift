//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// What an operator's commands take in a directory with many payments, against the same with a tenth of them: a page must
/// take as long, and a check of the ledger ten times as long with the same memory.
struct GrowthBenchmark {
    /// The built `pomona`.
    let executable: URL
    let directory: URL
    /// How many sales the larger store has.
    let many: Int

    func run() async throws -> [Row] {
        let few = self.many / 10
        guard few > 0 else { throw BenchError("--payments must be 10 or more") }
        let small = try await FilledDirectory.make(in: self.directory, few, self.executable)
        let large = try await FilledDirectory.make(in: self.directory, self.many, self.executable)
        var rows: [Row] = []
        for (key, name, arguments) in [
            ("list", "`payments list` of 20", []),
            ("merchant", "`payments list` of 20 of a merchant", ["--merchant", "bench"]),
            ("state", "`payments list` of those whose authorization is unknown", ["--state", "authorizationUnknown"]),
        ] {
            let arguments = ["payments", "list"] + arguments
            let pairs = try await self.pairs(arguments, small, large, rounds: 5)
            rows.append(
                Row(
                    "growth.\(key)", "\(name), \(self.many) payments in the store",
                    [Measure(pairs.map(\.large.seconds).median * 1000, "ms")],
                    floor: Measure(pairs.map(\.small.seconds).median * 1000, "ms", note: "with \(few)"),
                    ratios: pairs.map { $0.small.seconds / $0.large.seconds }))
        }
        let checks = try await self.pairs(["ledger", "check"], small, large, rounds: 1)
        return rows + [
            Row(
                "growth.check", "`ledger check` of \(self.many) payments",
                [Measure(Double(self.many) / checks.map(\.large.seconds).median, "/s")],
                floor: Measure(Double(few) / checks.map(\.small.seconds).median, "/s", note: "with \(few)"),
                ratios: checks.map { Double(self.many) / Double(few) * $0.small.seconds / $0.large.seconds }),
            Row(
                "growth.check.memory", "its peak memory", [Measure(checks.map(\.large.megabytes).median, "MB")],
                floor: Measure(checks.map(\.small.megabytes).median, "MB", note: "with \(few)"),
                ratios: checks.map { $0.small.megabytes / $0.large.megabytes }),
        ]
    }

    private func pairs(
        _ arguments: [String], _ small: URL, _ large: URL, rounds: Int
    ) async throws -> [(small: MeasuredRun, large: MeasuredRun)] {
        var pairs: [(small: MeasuredRun, large: MeasuredRun)] = []
        for _ in 0..<rounds {
            pairs.append(
                (
                    try await MeasuredRun.of(self.executable, arguments + ["--data", small.path]),
                    try await MeasuredRun.of(self.executable, arguments + ["--data", large.path])
                ))
        }
        return pairs
    }
}
