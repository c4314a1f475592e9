//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// `pomona report transactions` over many movements, against the same over few: the memory that it takes must not grow with
/// the report (docs/reports.md).
struct ExportBenchmark {
    static let few = 1000

    /// The built `pomona`.
    let executable: URL
    let directory: URL
    /// How many sales the larger store has. Each is two movements: an authorization and its capture.
    let many: Int

    func run() async throws -> [Row] {
        guard self.many > Self.few else { throw BenchError("--payments must be more than \(Self.few)") }
        let floor = try await self.export(Self.few)
        let subject = try await self.export(self.many)
        return [
            Row(
                "exports.memory", "peak memory of an export of \(2 * self.many) movements",
                [
                    Measure(subject.megabytes, "MB"),
                    Measure(Double(2 * self.many) / subject.seconds, "/s", note: "movements"),
                ],
                floor: Measure(floor.megabytes, "MB", note: "with \(2 * Self.few)"),
                ratios: [floor.megabytes / subject.megabytes])
        ]
    }

    private func export(_ count: Int) async throws -> MeasuredRun {
        let data = try await FilledDirectory.make(in: self.directory, count, self.executable)
        let report = self.directory.appending(path: "\(count).csv")
        let run = try await MeasuredRun.of(
            self.executable,
            ["report", "transactions", "--data", data.path, "--merchant", "bench", "--output", report.path])
        let lines = try Data(contentsOf: report, options: .mappedIfSafe).reduce(into: 0) { $0 += $1 == 0x0A ? 1 : 0 }
        guard lines == 2 * count + 1 else {
            throw BenchError("the export of \(2 * count) movements has \(lines) lines")
        }
        return run
    }
}
