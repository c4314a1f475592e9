//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A moment: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted (as in POSIX time).
public struct Timestamp: Hashable, Sendable, Comparable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public init(seconds: Int64) {
        self.milliseconds = seconds * 1000
    }

    /// Whole seconds since the epoch, rounded down.
    public var seconds: Int64 {
        let (quotient, remainder) = self.milliseconds.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.milliseconds < rhs.milliseconds }

    /// This moment and a span, which may be negative.
    public func adding(seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: self.milliseconds + seconds * 1000)
    }

    public func adding(milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: self.milliseconds + milliseconds)
    }

    /// The span from another moment to this one.
    public func milliseconds(since other: Timestamp) -> Int64 { self.milliseconds - other.milliseconds }

    var millisecondOfSecond: Int64 { ((self.milliseconds % 1000) + 1000) % 1000 }
}

/// A calendar date and a time of day at an offset from UTC, in the proleptic Gregorian calendar.
public struct CivilTime: Hashable, Sendable {
    public var year: Int
    public var month: Int
    public var day: Int
    public var hour: Int
    public var minute: Int
    public var second: Int
    public var millisecond: Int

    /// The civil time of a moment at an offset from UTC.
    public init(_ timestamp: Timestamp, offsetSeconds: Int64 = 0) {
        let shifted = timestamp.adding(seconds: offsetSeconds)
        let secondOfDay = Int(((shifted.seconds % 86_400) + 86_400) % 86_400)
        let days = (shifted.seconds - Int64(secondOfDay)) / 86_400
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": eras of 400 years that begin on 1 March.
        let shiftedDays = days + 719_468
        let era = (shiftedDays >= 0 ? shiftedDays : shiftedDays - 146_096) / 146_097
        let dayOfEra = shiftedDays - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        self.day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        self.month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        self.year = Int(yearOfEra + era * 400) + (self.month <= 2 ? 1 : 0)
        self.hour = secondOfDay / 3600
        self.minute = secondOfDay / 60 % 60
        self.second = secondOfDay % 60
        self.millisecond = Int(shifted.millisecondOfSecond)
    }

    /// A civil time, if the date exists and the time of day does (a leap second is refused).
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0)
    {
        guard (1...9999).contains(year), (1...12).contains(month), (0...23).contains(hour), (0...59).contains(minute),
            (0...59).contains(second), (0...999).contains(millisecond)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
        guard day >= 1, CivilTime(self.timestamp()).day == day else { return nil }
    }

    /// The moment of this civil time at an offset from UTC.
    public func timestamp(offsetSeconds: Int64 = 0) -> Timestamp {
        let shiftedYear = Int64(self.month <= 2 ? self.year - 1 : self.year)
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let monthFromMarch = Int64(self.month > 2 ? self.month - 3 : self.month + 9)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(self.day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        let secondOfDay = Int64(self.hour * 3600 + self.minute * 60 + self.second)
        return Timestamp(milliseconds: (days * 86_400 + secondOfDay - offsetSeconds) * 1000 + Int64(self.millisecond))
    }
}
