//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import TestRandom
import Testing
import Time

@Suite("Civil time")
struct CivilTimeTests {
    /// The calendar's rules as everybody knows them, counted day by day.
    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    private static func daysCount(_ month: Int, _ year: Int) -> Int {
        [31, self.isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    @Test func agreesWithCountingDaysFrom1600To2400() throws {
        let start = try #require(CivilTime(year: 1600, month: 1, day: 1)).timestamp()
        var days: Int64 = 0
        for year in 1600...2400 {
            for month in 1...12 {
                for day in 1...Self.daysCount(month, year) {
                    let moment = start.adding(seconds: days * 86_400)
                    let civil = CivilTime(moment)
                    guard civil.year == year, civil.month == month, civil.day == day, civil.timestamp() == moment else {
                        Issue.record("\(year)-\(month)-\(day) is read as \(civil.year)-\(civil.month)-\(civil.day)")
                        return
                    }
                    days += 1
                }
                #expect(CivilTime(year: year, month: month, day: Self.daysCount(month, year) + 1) == nil)
            }
        }
        // Two cycles of 400 years and the year 2400, a leap year.
        #expect(days == 2 * 146_097 + 366)
    }

    @Test func agreesWithArithmeticAtRandomMoments() throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<5000 {
            let year = Int.random(in: 1...9999, using: &random)
            let month = Int.random(in: 1...12, using: &random)
            let day = Int.random(in: 1...Self.daysCount(month, year), using: &random)
            let hour = Int.random(in: 0...23, using: &random)
            let minute = Int.random(in: 0...59, using: &random)
            let second = Int.random(in: 0...59, using: &random)
            let millisecond = Int.random(in: 0...999, using: &random)
            let offset = Int64.random(in: -86_340...86_340, using: &random)
            let civil = try #require(
                CivilTime(
                    year: year, month: month, day: day, hour: hour, minute: minute, second: second,
                    millisecond: millisecond))
            let moment = civil.timestamp(offsetSeconds: offset)
            #expect(CivilTime(moment, offsetSeconds: offset) == civil)
            let dayOfYear = (1..<month).reduce(day - 1) { $0 + Self.daysCount($1, year) }
            let previous = year - 1
            let days = previous * 365 + previous / 4 - previous / 100 + previous / 400 + dayOfYear - 719_162
            let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second) - offset
            #expect(moment.milliseconds == seconds * 1000 + Int64(millisecond))
        }
    }

    @Test(arguments: [
        (2000, true), (1900, false), (2100, false), (2400, true), (2020, true), (2023, false), (2024, true), (4, true),
        (1, false), (9996, true), (9999, false),
    ])
    func leapDayExists(_ year: Int, _ exists: Bool) {
        #expect((CivilTime(year: year, month: 2, day: 29) != nil) == exists)
        #expect(CivilTime(year: year, month: 2, day: 28) != nil)
        #expect(CivilTime(year: year, month: 2, day: 30) == nil)
    }

    @Test(
        arguments: [
            (0, 1, 1, 0, 0, 0, 0), (10_000, 1, 1, 0, 0, 0, 0), (-1, 1, 1, 0, 0, 0, 0), (2020, 0, 1, 0, 0, 0, 0),
            (2020, 13, 1, 0, 0, 0, 0), (2020, 1, 0, 0, 0, 0, 0), (2020, 1, 32, 0, 0, 0, 0), (2020, 1, -1, 0, 0, 0, 0),
            (2020, 1, 1, 24, 0, 0, 0), (2020, 1, 1, -1, 0, 0, 0), (2020, 1, 1, 0, 60, 0, 0), (2020, 1, 1, 0, -1, 0, 0),
            (2020, 1, 1, 0, 0, 60, 0), (2020, 1, 1, 0, 0, -1, 0), (2020, 1, 1, 0, 0, 0, 1000),
            (2020, 1, 1, 0, 0, 0, -1),
        ] as [(Int, Int, Int, Int, Int, Int, Int)])
    func refusesWhatDoesNotExist(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int, _ millisecond: Int
    ) {
        #expect(
            CivilTime(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond
            )
                == nil)
    }

    @Test func offsetShiftsTheCivilTimeAlone() throws {
        let moment = try #require(Timestamp(rfc3339: "2019-12-31T23:30:00Z"))
        let calcutta = CivilTime(moment, offsetSeconds: 19_800)
        #expect(calcutta == CivilTime(year: 2020, month: 1, day: 1, hour: 5, minute: 0))
        #expect(calcutta.timestamp(offsetSeconds: 19_800) == moment)
        let honolulu = CivilTime(moment, offsetSeconds: -36_000)
        #expect(honolulu == CivilTime(year: 2019, month: 12, day: 31, hour: 13, minute: 30))
    }
}

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        arguments: [
            (0, 0), (999, 0), (1000, 1), (1001, 1), (-1, -1), (-999, -1), (-1000, -1), (-1001, -2),
            (Int64.max, 9_223_372_036_854_775), (Int64.min, -9_223_372_036_854_776),
        ] as [(Int64, Int64)])
    func secondsAreRoundedDown(_ milliseconds: Int64, _ seconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).seconds == seconds)
    }

    @Test func addsSpans() {
        let moment = Timestamp(seconds: 100)
        #expect(moment.adding(seconds: 5) == Timestamp(milliseconds: 105_000))
        #expect(moment.adding(seconds: -101) == Timestamp(milliseconds: -1000))
        #expect(moment.adding(milliseconds: 5) == Timestamp(milliseconds: 100_005))
        #expect(moment.adding(milliseconds: -1).seconds == 99)
        #expect(moment.milliseconds(since: Timestamp(seconds: 99)) == 1000)
        #expect(Timestamp(seconds: 99).milliseconds(since: moment) == -1000)
    }

    @Test func isOrderedByTime() {
        #expect(Timestamp(milliseconds: -1) < Timestamp(milliseconds: 0))
        #expect(Timestamp(milliseconds: 0) < Timestamp(milliseconds: 1))
        #expect([3, -2, 0].map(Timestamp.init(milliseconds:)).sorted().map(\.milliseconds) == [-2, 0, 3])
    }
}
