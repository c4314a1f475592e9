//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import Testing
import Time

/// Days of zones follow each other without a gap, whatever clocks do.
@Suite struct ReportZoneTests {
    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29", Int64(23)), ("Europe/Berlin", "2026-10-25", 25),
        ("Europe/Berlin", "2026-11-22", 24), ("America/New_York", "2026-03-08", 23),
        ("America/New_York", "2026-11-01", 25), ("Australia/Sydney", "2026-04-05", 25), ("UTC", "2026-03-29", 24),
        // Clocks go forward at midnight: the day begins at one o'clock.
        ("America/Havana", "2026-03-08", 23),
        // Clocks go back to midnight.
        ("Atlantic/Azores", "2026-10-24", 24), ("Atlantic/Azores", "2026-10-25", 25),
        ("America/Havana", "2026-10-31", 24), ("America/Havana", "2026-11-01", 25),
        // A date that the zone has skipped.
        ("Pacific/Apia", "2011-12-30", 0),
    ])
    func dayHasItsHours(_ name: String, _ date: String, _ hours: Int64) throws {
        let window = try #require(ReportZone(name)).window(of: try day(date))
        #expect(window.to.milliseconds(since: window.from) == hours * 3_600_000)
    }

    @Test func dayBeginsAtTheZonesMidnight() throws {
        let berlin = try #require(ReportZone("Europe/Berlin"))
        #expect(berlin.start(of: try day("2026-11-22")) == (try moment("2026-11-21T23:00:00Z")))
        #expect(berlin.start(of: try day("2026-07-01")) == (try moment("2026-06-30T22:00:00Z")))
        #expect(berlin.text(of: try moment("2026-11-21T23:30:00.250Z")) == "2026-11-22T00:30:00.250+01:00")
        let newfoundland = try #require(ReportZone("America/St_Johns"))
        #expect(newfoundland.text(of: try moment("2026-01-01T00:00:00Z")) == "2025-12-31T20:30:00.000-03:30")
    }

    /// Newfoundland's clocks went back at one minute past midnight: that minute belongs to the day before.
    @Test func dateThatIsShownTwiceBeginsOnce() throws {
        let zone = try #require(ReportZone("America/St_Johns"))
        let date = try day("2010-11-07")
        let start = zone.start(of: date)
        #expect(start == (try moment("2010-11-07T03:30:00Z")))
        let shownFirst = try moment("2010-11-07T02:30:30Z")
        #expect(zone.text(of: shownFirst).hasPrefix("2010-11-07T00:00:30"))
        #expect(zone.day(of: shownFirst) == date.adding(days: -1))
    }

    /// From midnight to one o'clock and back to midnight the date is shown without a break.
    @Test(arguments: [
        ("Atlantic/Azores", "2026-10-25", "2026-10-25T00:00:00Z"),
        ("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"),
    ])
    func dateThatClocksGoBackToIsNotLeft(_ name: String, _ date: String, _ start: String) throws {
        let zone = try #require(ReportZone(name))
        #expect(zone.start(of: try day(date)) == (try moment(start)))
        #expect(zone.day(of: try moment(start)) == (try day(date)))
        #expect(zone.day(of: try moment(start).adding(seconds: 3600)) == (try day(date)))
    }

    private static let zones = TimeZone.knownTimeZoneIdentifiers.filter { ReportZone($0) != nil }

    @Test func zonesAreThere() {
        #expect(Self.zones.count > 300)
    }

    /// Every zone, every day of three years: each day begins where the last one ended, its moments are its own, and what
    /// it lasts is 24 hours but where clocks change.
    @Test(arguments: zones)
    func daysFollowEachOther(_ name: String) throws {
        let zone = try #require(ReportZone(name))
        var date = try day("2025-01-01")
        let last = try day("2027-12-31")
        let beginning = zone.start(of: date)
        var end = beginning
        while date <= last {
            let window = zone.window(of: date)
            #expect(window.from == end, "\(name) \(date)")
            let length = window.to.milliseconds(since: window.from)
            #expect((22...26).contains(length / 3_600_000) && length % 1_800_000 == 0, "\(name) \(date): \(length)")
            #expect(zone.day(of: window.from) == date, "\(name) \(date)")
            #expect(zone.day(of: window.to.adding(milliseconds: -1)) == date, "\(name) \(date)")
            end = window.to
            date = date.next
        }
        #expect(end == zone.start(of: try day("2028-01-01")))
    }

    @Test(arguments: [
        "", "CET", "GMT+2", "Etc/GMT+2", "Europe/Nowhere", "europe/berlin", "/Europe/Berlin", "../UTC",
        "Europe/Berlin\n",
        "+01:00", "Europe//Berlin", "UTC ",
    ])
    func refusesWhatIsNoPlace(_ name: String) {
        #expect(ReportZone(name) == nil)
    }

    @Test(arguments: [
        "", "2026-02-29", "2026-13-01", "2026-1-01", "20260101", "2026-01-01 ", "0000-01-01", "2026-01-1a",
    ])
    func refusesWhatIsNoDate(_ text: String) {
        #expect(CalendarDay(text) == nil)
    }

    @Test func datesAreCounted() throws {
        #expect(try day("2024-02-28").next == (try day("2024-02-29")))
        #expect(try day("2026-12-31").next == (try day("2027-01-01")))
        #expect(try day("2027-01-01").days(since: try day("2026-01-01")) == 365)
        #expect(try day("2026-09-30") < (try day("2026-10-01")))
    }

    /// "9999-12-31" stands for no end: the day after it is none, and later than all.
    @Test func theLastDayOfAllHasAnEnd() throws {
        let last = try #require(CalendarDay("9999-12-31"))
        let end = ReportZone.utc.start(of: last.next)
        #expect(end.milliseconds == 253_402_300_800_000)
        #expect(end > ReportZone.utc.start(of: last) && ReportZone.utc.start(of: last.adding(days: 4)) >= end)
    }
}
