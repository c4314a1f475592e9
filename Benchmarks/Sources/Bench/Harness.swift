//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// One row of the table.
struct Row {
    let name: String
    /// What the subject reached, in its own unit.
    let figure: String
    /// What it is held against, in the same unit.
    let floor: String
    /// Subject to floor: 1 is as good as the floor.
    let ratio: String
}

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

    /// Runs subject and floor in turn, so that a machine whose speed drifts drifts for both, and takes the ratio pair
    /// by pair.
    ///
    /// - Parameters:
    ///   - count: how many operations one run of either body does.
    static func compare(
        _ name: String, rounds: Int = 15, count: Int, subject: () throws -> Void, floor: () throws -> Void
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
        let microseconds = { (seconds: Double) in Self.text(seconds / Double(count) * 1e6, "%.1f") + " µs" }
        return Row(
            name: name, figure: microseconds(subjects.median), floor: microseconds(floors.median),
            ratio: Self.spread(ratios))
    }

    /// "0.87 (0.82–0.90)": median, minimum, maximum.
    static func spread(_ values: [Double]) -> String {
        let low = Self.text(values.min() ?? 0, "%.2f")
        let high = Self.text(values.max() ?? 0, "%.2f")
        return "\(Self.text(values.median, "%.2f")) (\(low)–\(high))"
    }

    static func text(_ value: Double, _ format: String) -> String { String(format: format, value) }

    /// Prints rows as a Markdown table.
    static func show(_ rows: [Row]) {
        print("| what | reached | floor | ratio (min–max) |")
        print("|---|---|---|---|")
        for row in rows { print("| \(row.name) | \(row.figure) | \(row.floor) | \(row.ratio) |") }
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
