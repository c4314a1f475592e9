//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import MemoryStore
import Money
import Payments
import StrictJSON
import Synchronization
import TestGateway
import Testing
import Time

/// The report on transactions has every movement once, and a page of it at a time.
@Suite struct TransactionReportTests {
    private func lines(_ books: ReportBooks, _ query: MovementQuery) async throws -> [TransactionLine] {
        var lines: [TransactionLine] = []
        for try await page in books.administration.transactions(query) { lines += page }
        return lines
    }

    @Test func linesShowWhatWasDone() async throws {
        let books = try await ReportBooks.open(timeZone: "Europe/Berlin")
        let at = try moment("2026-11-21T23:30:00.250Z")
        let sale = try await books.sell(try ReportBooks.money(10_99), at: at, reference: "RRN1")
        try await books.refund(try ReportBooks.money(2_00), of: sale.id, at: at.adding(seconds: 60))
        _ = try await books.sell(try ReportBooks.money(5_00), at: at.adding(seconds: 120), failing: true)
        try await books.report(
            .chargedBack(try ReportBooks.money(3_00)), fee: try ReportBooks.money(15_00), of: sale.id,
            at: at.adding(seconds: 180), reference: "cb-1")
        let lines = try await self.lines(books, MovementQuery(merchantID: books.merchant.id, includesFailed: true))
        #expect(
            lines.map(\.movement.operation.kind) == [.authorization, .capture, .refund, .authorization, .chargeback])
        #expect(lines.map(\.movement.change.minorUnits) == [0, 10_99, -2_00, 0, -3_00])
        let capture = try #require(lines.first { $0.movement.operation.kind == .capture })
        #expect(
            capture.json == [
                "moment": "2026-11-22T00:30:00.250+01:00", "momentUTC": "2026-11-21T23:30:00.250Z", "merchant": "shop",
                "payment": .string(sale.id.text), "operation": .string(sale.operations[1].id.text), "kind": "capture",
                "state": "succeeded", "reason": "", "amount": "10.99", "minorUnits": 1099, "change": "10.99",
                "currency": "EUR", "fee": "", "dialect": "alphapay", "account": "simulator", "network": "visa",
                "card": "1111", "order": "", "reference": "", "acquirerReference": "RRN1",
                "authorizationCode": "A1B2C3",
            ])
        // What a merchant's server has sent is no formula for the operator's spreadsheet.
        #expect(lines[2].line(.csv).contains(",'=cmd|'/c calc'!A1,"))
        #expect(lines[3].line(.csv).contains(",failed,insufficientFunds,"), "\(lines[3].line(.csv))")
        #expect(lines[4].line(.csv).contains(",-3.00,EUR,15.00,"))
        // What the acquirer calls its report is no name of the merchant's.
        #expect(lines[4].json["reference"] == "" && lines[4].json["acquirerReference"] == "cb-1")
        let header = TransactionLine.header(.csv)
        #expect(header.hasPrefix("moment,momentUTC,merchant,payment,operation,kind,state,") && header.hasSuffix("\r\n"))
        #expect(TransactionLine.header(.json).isEmpty && capture.line(.json).hasSuffix("}\n"))
        for line in lines {
            #expect(line.line(.csv).contains("411111") == false)
            #expect(line.cells.count == TransactionLine.columns.count)
        }
    }

    @Test func windowIsOfItsMerchant() async throws {
        let books = try await ReportBooks.open()
        let start = try moment("2026-11-22T00:00:00Z")
        for second in 0..<6 {
            _ = try await books.sell(try ReportBooks.money(1_00), at: start.adding(seconds: Int64(second)))
        }
        let query = MovementQuery(
            merchantID: books.merchant.id, from: start.adding(seconds: 1), to: start.adding(seconds: 3), limit: 1)
        #expect(try await self.lines(books, query).count == 4)
        let foreign = MovementQuery(merchantID: books.id(at: start))
        #expect(try await self.lines(books, foreign).isEmpty)
    }

    /// A store that makes each page up when it is asked for, and keeps nothing: what the report holds, only the report
    /// could be holding.
    private struct EndlessStore: PaymentStore {
        let base = MemoryStore()
        let count: Int
        let start: Timestamp
        let pages: PagesSeen

        func write<Value: Sendable>(
            _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
        ) async throws -> Value {
            try await self.base.write(body)
        }

        func read<Value: Sendable>(
            _ body: @escaping @Sendable (any StoreReader) throws -> Value
        ) async throws -> Value {
            let endless = self
            return try await self.base.read { try body(Reader(base: $0, store: endless)) }
        }

        struct Reader: ForwardingReader {
            let base: any StoreReader
            let store: EndlessStore

            func movements(_ query: MovementQuery) throws -> [Movement] {
                let first = query.after.map { Int($0.resolvedAt.milliseconds(since: self.store.start)) + 1 } ?? 0
                let page = first..<min(self.store.count, first + query.limit)
                self.store.pages.add(page.count)
                guard let merchant = try self.base.merchants().first else { return [] }
                return try page.compactMap { try self.movement($0, merchant) }
            }

            private func movement(_ number: Int, _ merchant: Merchant) throws -> Movement? {
                let at = self.store.start.adding(milliseconds: Int64(number))
                let id: OperationID = Identifier(at: at, random: [])
                let currency = try #require(Currency.alphabetic("EUR"))
                let amount = Money(minorUnits: 100, currency: currency)
                let operation = PaymentOperation(
                    id: id, kind: .capture, amount: amount, begunAt: at, begunInVersion: 1, state: .succeeded,
                    approvedAmount: amount, resolvedAt: at, resolvedInVersion: 1)
                let payment = Payment(
                    id: Identifier(at: at, random: []), merchantID: merchant.id, mode: .sandbox,
                    dialect: DialectName("alphapay"), acquirer: AcquirerName("simulator"),
                    accountID: Identifier(at: at, random: []), orderID: nil, amount: amount,
                    instrument: InstrumentSummary(unopened: .visa, displayName: nil), createdAt: at, version: 1,
                    operations: [operation])
                return Movement(of: payment, operation: id)
            }
        }
    }

    private final class PagesSeen: Sendable {
        let counts = Mutex<[Int]>([])

        func add(_ count: Int) { self.counts.withLock { $0.append(count) } }
    }

    /// Fifty thousand movements, none of which is read twice or together with more than a page of others.
    @Test func exportHoldsOnePage() async throws {
        let start = try moment("2026-11-22T00:00:00Z")
        let store = EndlessStore(count: 50_000, start: start, pages: PagesSeen())
        let books = try await ReportBooks.open(store: store)
        var (linesCount, bytesCount) = (0, 0)
        var last: Timestamp?
        for try await page in books.administration.transactions(MovementQuery(merchantID: books.merchant.id)) {
            #expect(page.count <= Administration.reportPageCount)
            for line in page {
                #expect(last.map { $0 < line.movement.resolvedAt } ?? true)
                last = line.movement.resolvedAt
                bytesCount += line.line(.csv).utf8.count
            }
            linesCount += page.count
        }
        #expect(linesCount == 50_000)
        #expect(bytesCount > 50_000 * 100)
        let pages = store.pages.counts.withLock { $0 }
        // The queries of the walk ask for what they say, and for the rest that there is not.
        #expect(pages.reduce(0, +) == 50_000 && pages.allSatisfy { $0 <= 100 }, "\(pages.count) pages")
    }
}
