//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// What ``GrowthTrial`` has measured at one size.
public struct GrowthReport: Sendable {
    /// What is measured; each in microseconds.
    enum Measure: String, CaseIterable {
        case authorization
        case capture
        case refund
        case inquiry
        case search = "pomona payments show, by a shop's reference"
        case list = "pomona payments list"
        case merchantList = "pomona payments list, of a merchant"
        case stateList = "pomona payments list, of those whose authorization is unknown"
        case dayReport = "pomona report transactions, of a day"
        case restart = "kill under load, start to ready"
    }

    struct Size: Sendable {
        let paymentsCount: Int
        let bytes: Int64
    }

    struct Check: Sendable {
        let milliseconds: Int64
        /// The most memory that the command had.
        let kilobytes: Int64
    }

    let few: Size
    let many: Size
    let filledMilliseconds: Int64
    private var rounds: [(few: [Measure: Int64], many: [Measure: Int64])] = []
    private var check: (few: Check, many: Check)?

    init(few: Size, many: Size, filledMilliseconds: Int64) {
        (self.few, self.many, self.filledMilliseconds) = (few, many, filledMilliseconds)
    }

    mutating func add(_ few: [Measure: Int64], _ many: [Measure: Int64]) { self.rounds.append((few, many)) }

    mutating func add(check few: Check, _ many: Check) { self.check = (few, many) }

    /// All but what the check of the books took.
    var lines: [String] {
        let head =
            "\(self.many.paymentsCount) payments, \(self.many.bytes / 1_000_000) MB, filled in "
            + "\(self.filledMilliseconds / 1000) s; beside \(self.few.paymentsCount), \(self.few.bytes / 1_000_000) MB"
        return [head]
            + self.rows.map { row in
                "\(row.name): \(Self.time(row.many)), with few \(Self.time(row.few)): "
                    + "\(Self.hundredths(row.ratio.median)) (\(Self.hundredths(row.ratio.min))–\(Self.hundredths(row.ratio.max)))"
            }
    }

    /// What the check of the books took; empty before it.
    var checkLines: [String] { self.check.map(Self.lines) ?? [] }

    /// All that was measured, as `script/bench --json` writes its lines.
    /// - Parameter store: "sqlite".
    public static func json(_ reports: [GrowthReport], store: String) -> String {
        JSON.array(reports.flatMap { $0.json(store: store) }).text() + "\n"
    }

    private func json(store: String) -> [JSON] {
        let figure = { (microseconds: Int64, size: Size) -> JSON in
            ["value": JSON(microseconds), "unit": "µs", "note": .string("with \(size.paymentsCount)")]
        }
        return self.rows.map { row in
            [
                "key": .string("growth.\(store).\(row.key).\(self.many.paymentsCount)"), "name": .string(row.name),
                "figures": [figure(row.many, self.many)], "floor": figure(row.few, self.few),
                "ratio": [
                    "median": .number(Self.hundredths(row.ratio.median)),
                    "min": .number(Self.hundredths(row.ratio.min)),
                    "max": .number(Self.hundredths(row.ratio.max)),
                ],
            ]
        }
    }

    private struct Row {
        let key: String
        let name: String
        /// In microseconds.
        let few: Int64
        let many: Int64
        /// Few to many, in hundredths: 100 is as quick.
        let ratio: (median: Int64, min: Int64, max: Int64)

        /// - Parameter pairs: one or more.
        init(_ key: String, _ name: String, _ pairs: [(few: Int64, many: Int64)]) {
            (self.key, self.name) = (key, name)
            self.few = GrowthReport.median(pairs.map(\.few))
            self.many = GrowthReport.median(pairs.map(\.many))
            let ratios = pairs.map { $0.few * 100 / max(1, $0.many) }
            self.ratio = (GrowthReport.median(ratios), ratios.min() ?? 0, ratios.max() ?? 0)
        }
    }

    private var rows: [Row] {
        Measure.allCases.compactMap { measure in
            let pairs = self.rounds.compactMap { round -> (few: Int64, many: Int64)? in
                guard let few = round.few[measure], let many = round.many[measure] else { return nil }
                return (few, many)
            }
            return pairs.isEmpty ? nil : Row("\(measure)", measure.rawValue, pairs)
        }
    }

    private static func lines(_ check: (few: Check, many: Check)) -> [String] {
        [
            "pomona ledger check: \(check.many.milliseconds) ms, with few \(check.few.milliseconds) ms",
            "its peak memory: \(check.many.kilobytes / 1000) MB, with few \(check.few.kilobytes / 1000) MB",
        ]
    }

    private static func median(_ values: [Int64]) -> Int64 { values.sorted()[values.count / 2] }

    private static func time(_ microseconds: Int64) -> String {
        microseconds < 10_000 ? "\(microseconds) µs" : "\(microseconds / 1000) ms"
    }

    private static func hundredths(_ value: Int64) -> String {
        "\(value / 100).\(value % 100 < 10 ? "0" : "")\(value % 100)"
    }
}
