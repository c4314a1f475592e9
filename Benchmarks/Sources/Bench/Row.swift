//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// A number that was measured, with its unit and with as many decimals as say something.
struct Measure {
    let value: Double
    /// "/s", "ms", "µs", "MB".
    let unit: String
    let decimals: Int
    /// What it is, where the row's name does not say it: "p50", "in process".
    let note: String

    init(_ value: Double, _ unit: String, decimals: Int = 0, note: String = "") {
        self.value = value
        self.unit = unit
        self.decimals = decimals
        self.note = note
    }

    private var number: String { Harness.text(self.value, "%.\(self.decimals)f") }

    /// "4189/s", "1.4 ms".
    var text: String { self.unit.hasPrefix("/") ? self.number + self.unit : "\(self.number) \(self.unit)" }

    var json: JSON {
        var object: [(String, JSON)] = [("value", .number(self.number)), ("unit", .string(self.unit))]
        if !self.note.isEmpty { object.append(("note", .string(self.note))) }
        return .object(JSONObject(object.map { (name: $0.0, value: $0.1) }))
    }
}

/// One row of the table.
struct Row {
    /// What the row is called in a file, the same in every release: "commweb.http".
    let key: String
    let name: String
    /// What the subject reached.
    let figures: [Measure]
    /// What it is held against, in the same unit.
    let floor: Measure?
    /// Subject to floor, of each round: 1 is as good as the floor.
    let ratios: [Double]

    init(_ key: String, _ name: String, _ figures: [Measure], floor: Measure? = nil, ratios: [Double] = []) {
        self.key = key
        self.name = name
        self.figures = figures
        self.floor = floor
        self.ratios = ratios
    }

    /// As a line of a Markdown table.
    var markdown: String {
        let figures = self.figures.map { $0.note.isEmpty ? $0.text : "\($0.note) \($0.text)" }.joined(separator: ", ")
        let floor = self.floor.map { $0.note.isEmpty ? $0.text : "\($0.text) \($0.note)" } ?? "–"
        return "| \(self.name) | \(figures) | \(floor) | \(self.ratioText) |"
    }

    /// "0.87 (0.82–0.90)": median, minimum, maximum.
    private var ratioText: String {
        guard let low = self.ratios.min(), let high = self.ratios.max() else { return "–" }
        let median = Harness.text(self.ratios.median, "%.2f")
        return self.ratios.count == 1
            ? median : "\(median) (\(Harness.text(low, "%.2f"))–\(Harness.text(high, "%.2f")))"
    }

    /// `{"key","name","figures":[{"value","unit","note"?}],"floor":{…}?,"ratio":{"median","min","max"}?}`.
    var json: JSON {
        var members: [(name: String, value: JSON)] = [
            ("key", .string(self.key)), ("name", .string(self.name)), ("figures", .array(self.figures.map(\.json))),
        ]
        if let floor = self.floor { members.append(("floor", floor.json)) }
        if let low = self.ratios.min(), let high = self.ratios.max() {
            let number = { (value: Double) in JSON.number(Harness.text(value, "%.4f")) }
            members.append(
                ("ratio", ["median": number(self.ratios.median), "min": number(low), "max": number(high)]))
        }
        return .object(JSONObject(members))
    }
}
