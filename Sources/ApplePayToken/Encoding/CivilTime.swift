//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Seconds since 1970-01-01T00:00:00Z to and from the proleptic Gregorian calendar, in UTC and without leap seconds.
///
/// ASN.1 times and RFC 3339 texts need no more than this, and so the library needs no calendar and no formatter.
struct CivilTime: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    var isValid: Bool {
        (1...12).contains(self.month) && (0..<24).contains(self.hour) && (0..<60).contains(self.minute)
            && (0..<60).contains(self.second)
            && (1...CivilTime.daysInMonth(self.month, year: self.year)).contains(self.day)
    }

    /// Years are counted from March, so that the leap day is the last of its year; an era is 400 years, 146,097 days.
    var secondsSince1970: Int64 {
        let year = self.month <= 2 ? self.year - 1 : self.year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (self.month + (self.month > 2 ? -3 : 9)) + 2) / 5 + self.day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = Int64(era * 146_097 + dayOfEra - 719_468)
        return days * 86_400 + Int64(self.hour * 3_600 + self.minute * 60 + self.second)
    }

    init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    init(secondsSince1970 seconds: Int64) {
        // Beyond any date that is written; the bound keeps the arithmetic below from overflowing.
        let seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
        let secondOfDay = Int(((seconds % 86_400) + 86_400) % 86_400)
        let days = Int((seconds - Int64(secondOfDay)) / 86_400) + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        self.month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
        self.hour = secondOfDay / 3_600
        self.minute = secondOfDay / 60 % 60
        self.second = secondOfDay % 60
    }

    /// "2015-12-10T17:44:10Z"
    var text: String {
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return padded(self.year, 4) + "-" + padded(self.month, 2) + "-" + padded(self.day, 2) + "T"
            + padded(self.hour, 2) + ":" + padded(self.minute, 2) + ":" + padded(self.second, 2) + "Z"
    }
}
