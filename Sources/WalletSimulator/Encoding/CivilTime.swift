//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// A moment in UTC as a calendar shows it, to the second. No time zone database is needed for that.
struct CivilTime {
    let year: Int
    let month: Int
    let day: Int
    let hour: Int
    let minute: Int
    let second: Int

    init(_ date: Date) {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let days = (seconds - CivilTime.modulo(seconds, 86_400)) / 86_400
        let rest = CivilTime.modulo(seconds, 86_400)
        (self.hour, self.minute, self.second) = (rest / 3_600, rest / 60 % 60, rest % 60)

        // Days are counted from 1 March 0000, so that the leap day ends a year; an era is 400 years.
        let shifted = days + 719_468
        let dayOfEra = CivilTime.modulo(shifted, 146_097)
        let era = (shifted - dayOfEra) / 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        self.day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        self.month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.year = era * 400 + yearOfEra + (self.month <= 2 ? 1 : 0)
    }

    /// "YYMMDD", as EMV tag 9A and expiration dates are written.
    var shortDate: String {
        CivilTime.twoDigits(self.year) + CivilTime.twoDigits(self.month) + CivilTime.twoDigits(self.day)
    }

    /// "YYMMDDhhmmssZ" (RFC 5652, 11.3: UTCTime from 1950 to 2049).
    func utcTime() throws(SimulatorError) -> String {
        guard (1950...2049).contains(self.year) else {
            throw SimulatorError(
                .signingTimeOutOfRange, "a signing time must lie between 1950 and 2049: pass one that UTCTime can hold")
        }
        return self.shortDate + CivilTime.twoDigits(self.hour) + CivilTime.twoDigits(self.minute)
            + CivilTime.twoDigits(self.second) + "Z"
    }

    private static func modulo(_ value: Int, _ divisor: Int) -> Int {
        let remainder = value % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }

    private static func twoDigits(_ value: Int) -> String {
        let lastTwo = value % 100
        return lastTwo < 10 ? "0\(lastTwo)" : "\(lastTwo)"
    }
}
