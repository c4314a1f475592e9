//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing
import Time

@testable import Administration

/// The time that charts show.
@Suite struct HomeWindowTests {
    private static let now = Timestamp(rfc3339: "2026-11-23T14:20:00Z") ?? Timestamp(milliseconds: 0)

    private func window(
        _ from: String?, _ to: String?, _ bucket: HomeWindow.Bucket? = nil, zone: String = "UTC"
    ) throws -> HomeWindow? {
        HomeWindow(
            from: from.flatMap { Timestamp(rfc3339: $0) }, to: to.flatMap { Timestamp(rfc3339: $0) }, bucket: bucket,
            zone: try #require(ReportZone(zone)), now: Self.now)
    }

    @Test func lastDayIsShownByTheHour() throws {
        let window = try #require(try self.window(nil, nil))
        #expect(window.bucket == .hour)
        #expect(window.starts.count == 25)
        #expect(window.from == Timestamp(rfc3339: "2026-11-22T14:00:00Z"))
        #expect(window.end(of: 24) == Self.now)
        #expect(window.index(of: Self.now) == nil)
        #expect(window.index(of: Self.now.adding(milliseconds: -1)) == 24)
        #expect(window.index(of: window.from.adding(milliseconds: -1)) == nil)
        #expect(window.index(of: window.from) == 0)
    }

    /// A day of the merchant's zone has 23 or 25 hours when clocks change.
    @Test func daysAreThoseOfTheZone() throws {
        let window = try #require(
            try self.window("2026-10-24T12:00:00Z", "2026-10-28T12:00:00Z", zone: "Europe/Berlin"))
        #expect(window.bucket == .day)
        #expect(window.from == Timestamp(rfc3339: "2026-10-23T22:00:00Z"))
        #expect(window.starts.count == 5)
        let lengths = (0..<4).map { window.end(of: $0).milliseconds(since: window.starts[$0]) / 3_600_000 }
        #expect(lengths == [24, 25, 24, 24])
    }

    @Test func bucketsCoverTheWindowWithoutGaps() throws {
        for (from, bucket) in [("2026-11-20T14:20:01Z", HomeWindow.Bucket.hour), ("2026-08-24T00:00:00Z", .day)] {
            let window = try #require(try self.window(from, nil, bucket))
            for index in window.starts.indices.dropLast() {
                #expect(window.end(of: index) == window.starts[index + 1])
            }
            #expect(window.starts.allSatisfy { $0 < window.to })
        }
    }

    /// Where no day begins after another one, a window would have days without end.
    @Test(arguments: ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"], [HomeWindow.Bucket.day, .hour])
    func endsAtTheBordersOfTheCalendar(zone: String, bucket: HomeWindow.Bucket) throws {
        for (from, to) in [
            ("9999-12-31T00:00:00Z", "9999-12-31T23:59:59-12:00"), ("9999-12-30T00:00:00Z", "9999-12-31T23:59:59Z"),
            ("9998-12-31T12:00:00Z", "9999-01-01T00:00:01Z"), ("0001-01-01T00:00:00Z", "0001-01-02T00:00:00Z"),
        ] { #expect(try self.window(from, to, bucket, zone: zone) == nil, "\(from)") }
        for (from, to) in [
            ("9998-12-31T00:00:00Z", "9999-01-01T00:00:00Z"), ("0002-01-01T00:00:00Z", "0002-01-02T00:00:00Z"),
        ] {
            let window = try #require(try self.window(from, to, bucket, zone: zone))
            #expect((1...25).contains(window.starts.count))
        }
    }

    @Test(arguments: [
        ("2026-11-23T14:20:00Z", "2026-11-23T14:20:00Z"), ("2026-11-24T00:00:00Z", "2026-11-23T00:00:00Z"),
        ("2026-08-01T00:00:00Z", "2026-11-23T00:00:00Z"), ("0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z"),
    ])
    func refusesWhatIsNoWindow(_ from: String, _ to: String) throws {
        #expect(try self.window(from, to) == nil)
    }

    @Test func refusesWeeksByTheHour() throws {
        #expect(try self.window("2026-11-10T00:00:00Z", "2026-11-20T00:00:00Z", .hour) == nil)
        #expect(try self.window("2026-11-10T00:00:00Z", "2026-11-10T05:00:00Z", .day)?.starts.count == 1)
    }
}

@Suite struct HomeLatencyTests {
    @Test func percentilesAreTheNearestRanks() throws {
        #expect(HomeLatency([]) == nil)
        let one = try #require(HomeLatency([7]))
        #expect((one.count, one.p50, one.p95, one.p99) == (1, 7, 7, 7))
        let hundred = try #require(HomeLatency((1...100).reversed()))
        #expect((hundred.p50, hundred.p95, hundred.p99) == (50, 95, 99))
        let few = try #require(HomeLatency([30, 10, 20]))
        #expect((few.p50, few.p95, few.p99) == (20, 30, 30))
    }
}
