//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Ledger
import Money
import Payments
import TestRandom
import Testing
import Time

/// What days come to is what their transactions come to, and what the ledger has booked.
@Suite struct DayReportTests {
    private static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland", "America/St_Johns",
        "Australia/Lord_Howe",
    ]

    /// A random life over five days, in two currencies, around the end of summer time.
    private func live(_ books: ReportBooks, _ seed: UInt64, from start: Timestamp) async throws {
        var random = SeededRandom(seed: seed)
        var at = start
        for _ in 0..<40 {
            at = at.adding(seconds: Int64.random(in: 60...20_000, using: &random))
            let code = Bool.random(using: &random) ? "EUR" : "JPY"
            let units = Int64.random(in: 100...100_000, using: &random)
            let amount = try ReportBooks.money(units, code)
            let sale = try await books.sell(amount, at: at, failing: Int.random(in: 0..<8, using: &random) == 0)
            guard sale.operations[0].state == .succeeded else { continue }
            at = at.adding(seconds: Int64.random(in: 1...30_000, using: &random))
            let part = try ReportBooks.money(units / 4, code)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: try await books.refund(part, of: sale.id, at: at)
            case 1:
                let refund = try await books.refund(part, of: sale.id, at: at)
                try await books.perform(
                    .void(of: refund.id), of: part, on: sale.id, at: at.adding(seconds: 4_000))
            case 2: try await books.perform(.void(of: sale.operations[0].id), of: amount, on: sale.id, at: at)
            case 3: try await books.report(.chargedBack(part), fee: part, of: sale.id, at: at)
            case 4: try await books.report(.failed(sale.operations[0].id, .doNotHonor), of: sale.id, at: at)
            case 5:
                try await books.refund(part, of: sale.id, at: at)
                try await books.report(
                    .failed(sale.operations[0].id, .doNotHonor), of: sale.id, at: at.adding(seconds: 9_000))
            default: break
            }
        }
    }

    @Test(arguments: zones, [UInt64(1), 2, 3])
    func daysAreTheirTransactionsAndTheLedger(_ zoneName: String, _ seed: UInt64) async throws {
        let books = try await ReportBooks.open(timeZone: zoneName)
        let zone = try #require(ReportZone(zoneName))
        try await self.live(books, seed, from: try moment("2026-10-22T05:00:00Z"))
        var lines: [TransactionLine] = []
        for try await page in books.administration.transactions(MovementQuery(merchantID: books.merchant.id)) {
            lines += page
        }
        var reports: [DayReport] = []
        var date = try day("2026-10-20")
        for _ in 0..<25 {
            reports.append(try await books.administration.dayReport(of: books.merchant.id, on: date))
            date = date.next
        }
        for report in reports {
            let own = lines.filter { zone.day(of: $0.movement.resolvedAt) == report.day }
            for total in report.totals {
                let change = own.filter { $0.movement.operation.amount.currency == total.currency }
                    .reduce(0) { $0 + $1.movement.change.minorUnits }
                #expect(try total.change().minorUnits == change, "\(report.day) \(total.currency)")
            }
            let currencies = Set(own.filter { !$0.movement.change.isZero }.map(\.movement.operation.amount.currency))
            #expect(currencies.isSubset(of: report.totals.map(\.currency)))
        }
        for code in ["EUR", "JPY"] {
            let totals = reports.flatMap(\.totals).filter { $0.currency.code == code }
            let change = try totals.reduce(0) { $0 + (try $1.change().minorUnits) }
            #expect(change == -(try await books.balance(Bookkeeping.payable(to: books.merchant.id), code)))
            let fees = totals.reduce(0) { $0 + $1.fees.minorUnits }
            #expect(fees == (try await books.balance(Bookkeeping.fees(of: books.account.id), code)))
        }
        #expect(reports.reduce(0) { $0 + $1.movementsCount } >= lines.count)
        try await books.expectSoundBooks()
    }

    @Test func whatADayComesToIsShown() async throws {
        let books = try await ReportBooks.open(timeZone: "Europe/Berlin")
        let at = try moment("2026-10-25T10:00:00Z")
        let sale = try await books.sell(try ReportBooks.money(100_00), at: at)
        try await books.refund(try ReportBooks.money(30_00), of: sale.id, at: at.adding(seconds: 1))
        try await books.report(
            .chargedBack(try ReportBooks.money(20_00)), fee: try ReportBooks.money(15_00), of: sale.id,
            at: at.adding(seconds: 2))
        let other = try await books.sell(try ReportBooks.money(7_00), at: at)
        try await books.perform(
            .void(of: other.operations[0].id), of: other.amount, on: other.id, at: at.adding(seconds: 3))
        let report = try await books.administration.dayReport(of: books.merchant.id, on: try day("2026-10-25"))
        #expect(report.state == .open && report.movementsCount == 7)
        #expect(report.to.milliseconds(since: report.from) == 25 * 3_600_000)
        #expect(
            try report.rows().map { $0.line(.csv) } == [
                "2026-10-25,Europe/Berlin,shop,simulator,EUR,2,107.00,1,30.00,1,20.00,1,-7.00,15.00,35.00,open\r\n"
            ])
        let empty = try await books.administration.dayReport(of: books.merchant.id, on: try day("2026-10-26"))
        #expect(empty.totals.isEmpty && empty.movementsCount == 0)
    }

    /// No sum is taken beyond 64 bits in silence.
    @Test func sumThatIsTooLargeIsRefused() async throws {
        let books = try await ReportBooks.open()
        let at = try moment("2026-10-25T10:00:00Z")
        for _ in 0..<2 { _ = try await books.sell(try ReportBooks.money(.max / 2 + 1), at: at) }
        try await books.expect(.sumTooLarge) {
            _ = try await $0.dayReport(of: books.merchant.id, on: try day("2026-10-25"))
        }
        try await books.expect(.sumTooLarge) { _ = try await $0.balances() }
        // The books are not sound, and the check comes to its end.
        let report = try await LedgerAudit.run(store: books.store)
        #expect(report.paymentsCount == 2 && !report.isSound)
        #expect(report.problems.contains { $0.hasPrefix("the account balances: ") && $0.contains("64 bits") })
    }

    @Test func balancesAreTheLedgers() async throws {
        let books = try await ReportBooks.open()
        let sale = try await books.sell(try ReportBooks.money(100_00), at: try moment("2026-10-25T10:00:00Z"))
        try await books.report(
            .chargedBack(try ReportBooks.money(20_00)), fee: try ReportBooks.money(15_00), of: sale.id,
            at: try moment("2026-10-26T10:00:00Z"))
        let rows = try await books.administration.balances(of: books.merchant.id).filter { $0.key.layer == .posted }
        let shown = rows.map { "\($0.acquirer) \($0.purpose) \($0.balanceMinorUnits ?? 0)" }
        #expect(shown.sorted() == [" payable -8000", "simulator fees 1500", "simulator receivable 6500"])
        #expect(try await books.administration.balances() == books.administration.balances(of: books.merchant.id))
        var fees: [FeeRow] = []
        try await books.administration.fees(of: books.merchant.id) { fees += $0 }
        #expect(fees.map(\.amount.minorUnits) == [15_00] && fees.first?.source == .report)
        let other = try await books.administration.createMerchant(
            name: "other", displayName: "Other", mode: .sandbox, countryCode: "DE")
        #expect(try await books.administration.balances(of: other.id).isEmpty)
    }
}
