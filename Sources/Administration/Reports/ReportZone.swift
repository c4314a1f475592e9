//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Foundation
public import Payments
public import Time

/// Where days begin and end: a zone of the IANA time zone database.
///
/// The days of a zone follow each other without a gap and without an overlap, whatever its clocks do: a day begins at the
/// moment from which on its date is not left any more. So the day on which clocks go forward has 23 hours, that on which
/// they go back 25, and a date that a zone has skipped (Pacific/Apia, 2011-12-30) none.
public struct ReportZone: Hashable, Sendable {
    /// "Europe/Berlin".
    public let name: String
    private let zone: TimeZone

    public static let utc = ReportZone(name: Merchant.defaultTimeZone, zone: .gmt)

    /// - Returns: `nil` for what the database does not have; abbreviations ("CET") and offsets ("GMT+2") are no places, and
    ///   are not taken.
    public init?(_ name: String) {
        if name == Merchant.defaultTimeZone {
            self = .utc
            return
        }
        let isPlace = name.contains("/") && !name.hasPrefix("Etc/") && !name.hasPrefix("/") && !name.contains("..")
        let isPlain = name.utf8.allSatisfy { byte in
            ASCII.isAlphanumeric(byte)
                || [UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+")].contains(byte)
        }
        guard isPlace, isPlain, name.utf8.count <= 64, let zone = TimeZone(identifier: name),
            zone.identifier == name
        else { return nil }
        self.init(name: name, zone: zone)
    }

    private init(name: String, zone: TimeZone) {
        self.name = name
        self.zone = zone
    }

    /// How far clocks are ahead of UTC at a moment.
    func offsetSeconds(at moment: Timestamp) -> Int64 {
        // Whole seconds are exact in a double until far beyond the calendar's end.
        Int64(self.zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(moment.seconds))))
    }

    /// The date that clocks show.
    public func day(of moment: Timestamp) -> CalendarDay {
        let shown = CalendarDay(CivilTime(moment, offsetSeconds: self.offsetSeconds(at: moment)))
        // Where clocks go back over midnight, a date is shown, left, and shown again: its day begins with the latter.
        if moment < self.start(of: shown) { return shown.adding(days: -1) }
        return moment >= self.start(of: shown.next) ? shown.next : shown
    }

    /// The first moment of a day.
    public func start(of day: CalendarDay) -> Timestamp {
        let midnight = day.utcMidnight
        // No zone is further from UTC than 14 hours.
        var (early, late) = (midnight.adding(seconds: -26 * 3600), midnight.adding(seconds: 26 * 3600))
        let (before, after) = (self.offsetSeconds(at: early), self.offsetSeconds(at: late))
        let (first, second) = (midnight.adding(seconds: -before), midnight.adding(seconds: -after))
        guard before != after else { return first }
        // The change lies in between.
        while late.milliseconds(since: early) > 1000 {
            let middle = early.adding(seconds: late.milliseconds(since: early) / 2000)
            if self.offsetSeconds(at: middle) == before { early = middle } else { late = middle }
        }
        // By the new offset midnight comes after the change; or it came before, by the old one; or the change skips it.
        // Clocks that go back to midnight itself show the date on and do not leave it.
        return second > late ? second : min(first, late)
    }

    /// The first moment of a day and of the next.
    public func window(of day: CalendarDay) -> (from: Timestamp, to: Timestamp) {
        (self.start(of: day), self.start(of: day.next))
    }

    /// A moment as clocks show it, with their offset (RFC 3339): "2026-11-22T09:15:30.250+01:00".
    public func text(of moment: Timestamp) -> String {
        let offset = self.offsetSeconds(at: moment)
        // RFC 3339 has no seconds in an offset; what zones had before there was standard time is not shown.
        let minutes = offset / 60
        let shown = String(moment.adding(seconds: minutes * 60).rfc3339Milliseconds.dropLast())
        let (hours, rest) = (Int(abs(minutes) / 60), Int(abs(minutes) % 60))
        return "\(shown)\(minutes < 0 ? "-" : "+")\(CalendarDay.padded(hours, 2)):\(CalendarDay.padded(rest, 2))"
    }
}

extension Merchant {
    /// Where its days begin and end; UTC for a zone that this program's database does not have any more.
    public var reportZone: ReportZone { ReportZone(self.timeZone) ?? .utc }
}
