//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import SQLiteStore
import StrictJSON
import Time

/// `pomona report transactions` over many movements, against the same over few: the memory that it takes must not grow with
/// the report (docs/reports.md).
struct ExportBenchmark {
    static let few = 1000
    private static let now = Timestamp(milliseconds: 1_750_000_000_000)

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

    private func export(_ count: Int) async throws -> (megabytes: Double, seconds: Double) {
        let data = self.directory.appending(path: "\(count)")
        try await self.prepare(data, count)
        let report = self.directory.appending(path: "\(count).csv")
        let process = Process()
        process.executableURL = self.executable
        process.arguments = [
            "report", "transactions", "--data", data.path, "--merchant", "bench", "--output", report.path,
        ]
        process.standardError = FileHandle.nullDevice
        var peak = 0.0
        let seconds = try await Harness.seconds {
            try process.run()
            // The high-water mark goes with the process: what is read last before its end counts.
            while process.isRunning {
                peak = max(peak, (try? ProcessMemory.megabytes("VmHWM", of: process.processIdentifier)) ?? 0)
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        guard process.terminationStatus == 0 else { throw BenchError("pomona report transactions failed") }
        let lines = try Data(contentsOf: report, options: .mappedIfSafe).reduce(into: 0) { $0 += $1 == 0x0A ? 1 : 0 }
        guard lines == 2 * count + 1 else {
            throw BenchError("the export of \(2 * count) movements has \(lines) lines")
        }
        return (peak, seconds)
    }

    /// A data directory with a merchant, as its operator makes it, and the sales in its store.
    private func prepare(_ data: URL, _ count: Int) async throws {
        try FileManager.default.createDirectory(at: self.directory, withIntermediateDirectories: true)
        let file = self.directory.appending(path: "setup.json")
        let setup: JSON = [
            "merchant": ["name": "bench", "displayName": "Bench", "mode": "sandbox", "countryCode": "CA"],
            "acquirers": [["name": "main", "connector": "simulator"]], "routes": [["acquirer": "main"]],
        ]
        try Data(setup.serialized()).write(to: file)
        let process = Process()
        process.executableURL = self.executable
        process.arguments = ["setup", "--data", data.path, "--file", file.path, "--json"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchError("pomona setup failed") }
        let store = try SQLiteStore.open(path: data.appending(path: "pomona.sqlite").path)
        let account = try await store.read { reading -> AcquirerAccount? in
            guard let merchant = try reading.merchant(named: "bench") else { return nil }
            return try reading.acquirerAccounts(of: merchant.id).first
        }
        guard let account else { throw BenchError("pomona setup has made no account") }
        try await StoredSales.fill(store, count, of: account, after: Self.now)
        try await store.close()
    }
}
