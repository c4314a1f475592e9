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

/// Whatever a file calls a movement, its line finds it; and what is read for that are the movements that lines name, and
/// those of the file's days.
@Suite struct SettlementNamesTests {
    private struct Shop {
        let books: ReportBooks
        let store: NotingStore

        static func open() async throws -> Shop {
            let store = NotingStore()
            let books = try await ReportBooks.open(store: store)
            books.test.clock.advance(to: try moment("2026-10-30T12:00:00Z"))
            return Shop(books: books, store: store)
        }

        func sell(_ minorUnits: Int64, on day: String, reference: String? = nil, network: String? = nil) async throws
            -> Payment
        {
            try await self.books.sell(
                try ReportBooks.money(minorUnits), at: try moment("\(day)T10:00:00Z"), reference: reference,
                network: network)
        }

        /// Lines of a statement: day, amount, the acquirer's names and our own.
        func importing(_ lines: String...) async throws -> (outcome: SettlementImport, items: [SettlementItem]) {
            let mapping = """
                {"name": "bank", "separator": ";", "decimalSeparator": ".", "dates": "yyyy-MM-dd", "currency": "EUR",
                 "columns": {"date": "Day", "amount": "Sum", "reference": ["Ref", "Network"], "ownReference": ["Own"]}}
                """
            let text = (["Day;Sum;Ref;Network;Own"] + lines).joined(separator: "\n")
            let document = SettlementDocument(
                name: "bank.csv", bytes: Array(text.utf8), mapping: try SettlementMapping(try JSON.parse(mapping)))
            let outcome = try await self.books.administration.importSettlement(
                document, account: "simulator", of: self.books.merchant.id)
            let items = try await self.books.administration.settlementItems(
                SettlementQuery(fileID: outcome.file.id, limit: 1000))
            try await self.books.expectSoundBooks()
            return (outcome, items)
        }
    }

    @Test func everyNameLeadsToItsMovement() async throws {
        let shop = try await Shop.open()
        var sales: [Payment] = []
        for number in 0..<8 {
            let reference = [3: "R3", 5: "P5/7", 6: "P6/1"][number]
            sales.append(
                try await shop.sell(
                    Int64(100 + number), on: "2026-10-25", reference: reference, network: number == 4 ? "N4" : nil))
        }
        let (outcome, items) = try await shop.importing(
            "2026-10-25;1.00;;;\(sales[0].id)", "2026-10-25;1.01;;;\(sales[1].operations[1].id)",
            "2026-10-25;1.02;;;\(sales[2].operations[0].id.shortName)", "2026-10-25;1.03;R3;;",
            "2026-10-25;1.04;;N4;", "2026-10-25;1.05;P5;;", "2026-10-25;1.06;P6;;",
            "2026-10-25;1.07;;;\(sales[7].id.shortName)")
        #expect(outcome.counts == [.matched: 8])
        #expect(items.map(\.operationID) == sales.map { $0.operations[1].id })
    }

    /// What the network calls it goes before what the shop does.
    @Test func acquirersNamesGoFirst() async throws {
        let shop = try await Shop.open()
        let other = try await shop.sell(1_00, on: "2026-10-24")
        let meant = try await shop.sell(1_00, on: "2026-10-25", network: "N")
        let (outcome, items) = try await shop.importing("2026-10-25;1.00;;N;\(other.id)")
        #expect(outcome.counts == [.matched: 1] && items.map(\.paymentID) == [meant.id])
    }

    /// Names that are the same by Unicode's equivalence alone are two, as in the stores.
    @Test func namesAreComparedByTheirBytes() async throws {
        let shop = try await Shop.open()
        let composed = try await shop.sell(1_00, on: "2026-10-24", reference: "Caf\u{E9}")
        let decomposed = try await shop.sell(1_00, on: "2026-10-25", reference: "Cafe\u{301}")
        let (outcome, items) = try await shop.importing("2026-10-25;1.00;Cafe\u{301};;")
        #expect(outcome.counts == [.matched: 1] && items.map(\.paymentID) == [decomposed.id])
        let (next, left) = try await shop.importing("2026-10-25;1.00;Cafe\u{301};X;", "2026-10-25;1.00;Caf\u{E9};;")
        #expect(next.counts == [.settledBefore: 1, .matched: 1])
        #expect(left.map(\.paymentID) == [decomposed.id, composed.id])
    }

    /// Of many with one name the earliest is taken that is open, and of those one with the line's amount.
    @Test func oneOfManyWithOneNameIsTaken() async throws {
        let shop = try await Shop.open()
        var sales: [Payment] = []
        for number in 0..<130 {
            sales.append(try await shop.sell(number == 117 ? 2_00 : 1_00, on: "2026-10-24", reference: "same"))
        }
        let (outcome, items) = try await shop.importing("2026-10-25;2.00;same;;", "2026-10-25;1.00;same;;")
        #expect(outcome.counts == [.matched: 2] && items[0].paymentID == sales[117].id)
        let (next, _) = try await shop.importing("2026-10-26;1.00;same;;")
        #expect(next.counts == [.matched: 1])
    }

    /// A movement from before the time in which one is looked for is none, whatever leads to it.
    @Test func onlyTheAccountsMovementsOfTheTimeAreMeant() async throws {
        let shop = try await Shop.open()
        _ = try await shop.sell(1_00, on: "2026-06-26", reference: "old")
        _ = try await shop.sell(1_00, on: "2026-06-28", reference: "young")
        let (outcome, items) = try await shop.importing("2026-10-25;1.00;old;;", "2026-10-25;1.00;young;;")
        #expect(outcome.counts == [.missingInLedger: 1, .matched: 1])
        #expect(items.map(\.verdict) == [.missingInLedger, .matched])
    }

    /// However much the account has had before the file's days, its movements are not walked over for lines that lead to
    /// what they mean.
    @Test func onlyTheFilesDaysAreWalkedOver() async throws {
        let shop = try await Shop.open()
        _ = try await shop.sell(1_00, on: "2026-09-01", reference: "R0")
        _ = try await shop.sell(1_00, on: "2026-10-25", reference: "R1")
        _ = try await shop.sell(1_00, on: "2026-10-25", reference: "lacking")
        shop.store.forget()
        let (outcome, items) = try await shop.importing("2026-10-25;1.00;R0;;", "2026-10-25;1.00;R1;;")
        #expect(outcome.counts == [.matched: 2, .missingInFile: 1] && items.last?.verdict == .missingInFile)
        #expect(shop.store.walked.allSatisfy { $0.from == outcome.file.from && $0.to == outcome.file.to })
        #expect(!shop.store.walked.isEmpty)
    }

    /// A name that nobody knows is looked up, and no more than that: a bank's statement has lines of other things every day.
    @Test func linesOfNobodysAreNotWalkedFor() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(1_00, on: "2026-09-01", network: "N")
        let (outcome, items) = try await shop.importing("2026-10-25;1.00;R9;M;own", "2026-10-25;1.00;;N;")
        #expect(outcome.counts == [.missingInLedger: 1, .matched: 1] && items.last?.paymentID == sale.id)
        #expect(shop.store.walked.allSatisfy { $0.from == outcome.file.from && $0.to == outcome.file.to })
        // What may be an id's random half has no index.
        let names = [("0123456789ABCDEF", true), ("0123456789ABCDE", false), ("0123456789ABCDEU", false)]
        for (name, isWalkedFor) in names {
            shop.store.forget()
            let (unknown, _) = try await shop.importing("2026-10-25;1.00;\(name);;")
            #expect(unknown.counts == [.missingInLedger: 1])
            let isWalked = shop.store.walked.contains { query in query.from.map { $0 < unknown.file.from } == true }
            #expect(isWalked == isWalkedFor, "\(name)")
        }
    }
}

/// Notes what is walked over.
private final class NotingStore: PaymentStore {
    private let base = MemoryStore()
    private let queries = Mutex<[MovementQuery]>([])

    var walked: [MovementQuery] { self.queries.withLock(\.self) }

    func forget() { self.queries.withLock { $0 = [] } }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        try await self.base.write(body)
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await self.base.read { try body(Reader(base: $0, store: self)) }
    }

    private struct Reader: ForwardingReader {
        let base: any StoreReader
        let store: NotingStore

        func movementNames(_ query: MovementQuery) throws -> [MovementNames] {
            self.store.queries.withLock { $0.append(query) }
            return try self.base.movementNames(query)
        }
    }
}
