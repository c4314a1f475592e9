//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import MemoryStore
import Money
import Payments
import TestGateway
import Testing
import Time

/// A day that is closed is closed in its turn, once, and stays as it was.
@Suite struct ClosingTests {
    /// A merchant in Berlin with a sale on the last day of summer time and one on the day after the next.
    private func shop() async throws -> ReportBooks {
        let books = try await ReportBooks.open(timeZone: "Europe/Berlin")
        books.test.clock.advance(to: try moment("2026-10-30T12:00:00Z"))
        _ = try await books.sell(try ReportBooks.money(10_00), at: try moment("2026-10-24T22:00:00Z"))
        _ = try await books.sell(try ReportBooks.money(5_00), at: try moment("2026-10-27T09:00:00Z"))
        return books
    }

    @Test func daysAreClosedInTheirTurn() async throws {
        let books = try await self.shop()
        let (administration, id) = (books.administration, books.merchant.id)
        #expect(try await administration.nextDayToClose(of: id) == day("2026-10-25"))
        try await books.expect(.dayNotNext) { try await $0.closeDay(try day("2026-10-26"), of: id) }
        try await books.expect(.dayNotNext) { try await $0.closeDay(try day("2026-10-24"), of: id) }
        let first = try await administration.closeDay(try day("2026-10-25"), of: id)
        #expect(first.movementsCount == 2 && first.timeZone == "Europe/Berlin")
        #expect(try [first.from, first.to] == [moment("2026-10-24T22:00:00Z"), moment("2026-10-25T23:00:00Z")])
        #expect(first.closedBy == "gateway" && first.closedAt == books.test.clock.now)
        try await books.expect(.dayClosed) { try await $0.closeDay(try day("2026-10-25"), of: id) }
        // A day on which nothing happened is closed too.
        let second = try await administration.closeDay(of: id)
        #expect(second.day == "2026-10-26" && second.movementsCount == 0 && second.from == first.to)
        let entry = try await books.store.read { try $0.lastAuditEntry() }
        #expect(entry?.act == .dayClose && entry?.subject == "shop" && entry?.details["day"] == "2026-10-26")
        #expect(entry?.details["digest"] == second.digestText)
        #expect(try await administration.checkAuditLog().isSound)
    }

    /// A day's sums may be more than one amount can be.
    @Test func dayOfLargeSumsIsReadAgain() async throws {
        let books = try await ReportBooks.open(timeZone: "Europe/Berlin")
        books.test.clock.advance(to: try moment("2026-10-30T12:00:00Z"))
        for _ in 0..<3 {
            _ = try await books.sell(
                try ReportBooks.money(Money.minorUnitsMax, "JPY"), at: try moment("2026-10-25T09:00:00Z"))
        }
        _ = try await books.administration.closeDay(try day("2026-10-25"), of: books.merchant.id)
        let report = try await books.administration.dayReport(of: books.merchant.id, on: try day("2026-10-25"))
        #expect(try report.rows().map { $0.line(.csv).contains("299999999999997") } == [true])
    }

    /// What is closed is never opened again: a clock that is ahead closes no day that is going on.
    @Test func dayIsOverByTheDatabasesClockToo() async throws {
        let database = TestClock(try moment("2026-10-25T12:00:00Z"))
        let books = try await ReportBooks.open(store: ClockedStore(MemoryStore()) { database.now })
        let id = books.merchant.id
        books.test.clock.advance(to: try moment("2026-10-27T12:00:00Z"))
        _ = try await books.sell(try ReportBooks.money(10_00), at: database.now)
        try await books.expect(.dayNotOver) { try await $0.closeDay(of: id) }
        database.advance(to: try moment("2026-10-26T00:05:00Z"))
        #expect(try await books.administration.closeDay(of: id).day == "2026-10-25")
    }

    @Test func dayIsClosedWhenItIsOver() async throws {
        let books = try await ReportBooks.open(timeZone: "Europe/Berlin")
        let id = books.merchant.id
        try await books.expect(.dayUnknown) { try await $0.closeDay(of: id) }
        let start = try moment("2026-10-25T22:59:00Z")
        books.test.clock.advance(to: start)
        _ = try await books.sell(try ReportBooks.money(10_00), at: start)
        // The day has 25 hours, and then what was resolved in its last second is to be committed.
        for later in ["2026-10-25T22:59:30Z", "2026-10-25T23:00:00Z", "2026-10-25T23:04:59Z"] {
            books.test.clock.advance(to: try moment(later))
            try await books.expect(.dayNotOver) { try await $0.closeDay(of: id) }
        }
        books.test.clock.advance(to: try moment("2026-10-25T23:05:00Z"))
        #expect(try await books.administration.closeDay(of: id).day == "2026-10-25")
        try await books.expect(.dayNotOver) { try await $0.closeDay(of: id) }
    }

    @Test func reportOfAClosedDayIsTheSameBytes() async throws {
        let books = try await self.shop()
        let id = books.merchant.id
        let closed = try await books.administration.closeDay(of: id)
        let open = try await books.administration.dayReport(of: id, on: try day("2026-10-27"))
        #expect(open.state == .open)
        let report = try await books.administration.dayReport(of: id, on: try day("2026-10-25"))
        #expect(report.state == .closed(closed))
        #expect(try report.content() == closed.report)
        #expect(closed.report.contains(#""captured":"10.00","refunds":0"#), "\(closed.report)")
        // What is named otherwise now was named so then.
        _ = try await books.administration.changeMerchant(id, displayName: "Another", timeZone: "Asia/Tokyo")
        let later = try await books.administration.dayReport(of: id, on: try day("2026-10-25"))
        #expect(try later.content() == closed.report && later.state == .closed(closed))
    }

    /// A commit that took longer than anybody thought changes nothing of the report, and is shown.
    @Test func lateCommitIsShownAsADifference() async throws {
        let books = try await self.shop()
        let id = books.merchant.id
        let closed = try await books.administration.closeDay(of: id)
        _ = try await books.sell(try ReportBooks.money(99_00), at: try moment("2026-10-25T12:00:00Z"))
        let report = try await books.administration.dayReport(of: id, on: try day("2026-10-25"))
        guard case .differs(closed, 4, let digest) = report.state else {
            Issue.record("\(report.state)")
            return
        }
        #expect(digest != closed.digest)
        #expect(try report.content() == closed.report && report.movementsCount == 2)
    }

    /// Days follow each other without a gap and without an overlap, wherever the merchant moves.
    @Test(arguments: ["Asia/Tokyo", "America/New_York", "UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
    func dayAfterAMoveBeginsWhereTheLastEnded(_ zone: String) async throws {
        let books = try await self.shop()
        let id = books.merchant.id
        var last = try await books.administration.closeDay(of: id)
        _ = try await books.administration.changeMerchant(id, timeZone: zone)
        for _ in 0..<3 {
            let next = try await books.administration.closeDay(of: id)
            #expect(next.from == last.to && next.to > next.from && next.day > last.day && next.timeZone == zone)
            #expect(next.to.milliseconds(since: next.from) <= 48 * 3_600_000)
            let report = try await books.administration.dayReport(of: id, on: try day(next.day))
            #expect(report.state == .closed(next))
            last = next
        }
    }

    @Test func zoneMustBeAPlace() async throws {
        let books = try await ReportBooks.open()
        let id = books.merchant.id
        try await books.expect(.timeZoneUnknown) { try await $0.changeMerchant(id, timeZone: "CET") }
        try await books.expect(.timeZoneUnknown) {
            _ = try await $0.createMerchant(
                name: "x", displayName: "X", mode: .sandbox, countryCode: "DE", timeZone: "Nowhere/Here")
        }
        #expect(try await books.administration.changeMerchant(id, timeZone: "Asia/Tokyo").timeZone == "Asia/Tokyo")
        #expect(try await books.administration.merchant(named: "shop").timeZone == "Asia/Tokyo")
    }
}
