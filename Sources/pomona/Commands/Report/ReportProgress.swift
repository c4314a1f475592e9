//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Time

/// How far a report is, on standard error where that is a terminal: what has been written, and of one whose time has a
/// beginning and an end a bar by the share of that which is behind it.
struct ReportProgress {
    /// The time that a report goes through.
    struct Span {
        /// The first line's moment if left out.
        var from: Timestamp?
        let to: Timestamp
    }

    private static let barCells: Int64 = 24

    private let console: Console
    private let noun: String
    private var span: Span?
    private var count = 0

    init(_ console: Console, _ noun: String, over span: Span? = nil) {
        self.console = console
        self.noun = noun
        self.span = span
    }

    mutating func add(_ count: Int, at place: String = "") {
        self.count += count
        self.write(place)
    }

    /// - Parameter moments: the first and the last of what was added.
    mutating func add(_ count: Int, in moments: (first: Timestamp, last: Timestamp)) {
        self.count += count
        if self.span?.from == nil { self.span?.from = moments.first }
        self.write(moments.last.rfc3339Seconds, bar: self.bar(at: moments.last))
    }

    func finish() { self.console.progress("") }

    private func write(_ place: String, bar: String = "") {
        self.console.progress("\(bar)\(Text.count(self.count, self.noun))\(place.isEmpty ? "" : ", \(place)") …")
    }

    /// "[######------------------]  25 %  ".
    private func bar(at moment: Timestamp) -> String {
        guard let span = self.span, let from = span.from, from < span.to else { return "" }
        let whole = span.to.milliseconds(since: from)
        let done = min(max(0, moment.milliseconds(since: from)), whole)
        // Seconds, so that no product of them is beyond 64 bits.
        let percent = done / 1000 * 100 / max(1, whole / 1000)
        let filled = Int(min(percent, 100) * Self.barCells / 100)
        let cells = String(repeating: "#", count: filled) + String(repeating: "-", count: Int(Self.barCells) - filled)
        let number = "\(min(percent, 100))"
        return "[\(cells)] \(String(repeating: " ", count: 3 - number.count))\(number) %  "
    }
}
