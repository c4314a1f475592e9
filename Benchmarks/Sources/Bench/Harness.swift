//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON

enum Harness {
    /// Wall-clock seconds that a body takes.
    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try body()
        return Self.seconds(clock.now - start)
    }

    static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await body()
        return Self.seconds(clock.now - start)
    }

    static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    /// Runs a body with a directory of its own, which goes with it.
    static func withDirectory<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Value
    ) async throws -> Value {
        let directory = FileManager.default.temporaryDirectory.appending(path: "pomona-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        return try await body(directory)
    }

    /// Runs subject and floor in turn, so that a machine whose speed drifts drifts for both, and takes the ratio pair
    /// by pair.
    ///
    /// - Parameters:
    ///   - count: how many operations one run of either body does.
    static func compare(
        _ key: String, _ name: String, rounds: Int = 15, count: Int, subject: () throws -> Void,
        floor: () throws -> Void
    ) rethrows -> Row {
        try subject()
        try floor()
        var subjects: [Double] = []
        var floors: [Double] = []
        var ratios: [Double] = []
        for _ in 0..<rounds {
            let subjectSeconds = try Self.seconds(subject)
            let floorSeconds = try Self.seconds(floor)
            subjects.append(subjectSeconds)
            floors.append(floorSeconds)
            ratios.append(floorSeconds / subjectSeconds)
        }
        let microseconds = { (seconds: Double) in Measure(seconds / Double(count) * 1e6, "µs", decimals: 1) }
        return Row(key, name, [microseconds(subjects.median)], floor: microseconds(floors.median), ratios: ratios)
    }

    static func text(_ value: Double, _ format: String) -> String { String(format: format, value) }

    /// Prints rows as a Markdown table.
    static func show(_ rows: [Row]) {
        print("| what | reached | floor | ratio (min–max) |")
        print("|---|---|---|---|")
        for row in rows { print(row.markdown) }
    }

    /// Writes the same rows for programs: a JSON array in the order of the table.
    static func write(_ rows: [Row], to path: String) throws {
        try (JSON.array(rows.map(\.json)).text() + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }
}

extension [Double] {
    var median: Double {
        guard !self.isEmpty else { return 0 }
        let sorted = self.sorted()
        return sorted.count % 2 == 1
            ? sorted[sorted.count / 2] : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
    }
}
