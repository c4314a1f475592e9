//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Time

/// A calendar date in no zone: "2026-11-22".
public struct CalendarDay: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let year: Int
    public let month: Int
    public let day: Int

    /// - Returns: `nil` for a date that there is not, and for anything but four digits, two and two with hyphens.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.count == 10,
            parts.allSatisfy({ $0.utf8.allSatisfy(ASCII.isDigit) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// - Returns: `nil` for a date that there is not.
    public init?(year: Int, month: Int, day: Int) {
        guard let civil = CivilTime(year: year, month: month, day: day) else { return nil }
        self.init(civil)
    }

    init(_ civil: CivilTime) {
        self.year = civil.year
        self.month = civil.month
        self.day = civil.day
    }

    public var description: String {
        Self.padded(self.year, 4) + "-" + Self.padded(self.month, 2) + "-" + Self.padded(self.day, 2)
    }

    static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    public var next: CalendarDay { self.adding(days: 1) }

    public func adding(days: Int64) -> CalendarDay {
        CalendarDay(CivilTime(self.utcMidnight.adding(seconds: days * 86_400)))
    }

    /// How many days later this one is than another.
    public func days(since other: CalendarDay) -> Int64 {
        self.utcMidnight.milliseconds(since: other.utcMidnight) / 86_400_000
    }

    private static let endOfYear9999 = Timestamp(milliseconds: 253_402_300_800_000)

    /// The date's first moment if clocks showed UTC.
    var utcMidnight: Timestamp {
        // The date is there: this is how it was made. An addition may lead behind the year 9999, which all end with.
        CivilTime(year: self.year, month: self.month, day: self.day)?.timestamp() ?? Self.endOfYear9999
    }

    public static func < (first: CalendarDay, second: CalendarDay) -> Bool {
        (first.year, first.month, first.day) < (second.year, second.month, second.day)
    }
}
