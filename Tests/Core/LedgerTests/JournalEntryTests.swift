//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Testing
import Time

/// What the tests of this room book with.
enum Sample {
    static let now = Timestamp(seconds: 1_780_000_000)
    static let cash = LedgerAccount(path: "acquirer/simulator/receivable")
    static let debt = LedgerAccount(path: "merchant/mer_1/payable")
    static let fees = LedgerAccount(path: "fees")

    static func money(_ minorUnits: Int64, _ code: String = "CAD") throws -> Money {
        Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic(code)))
    }

    static func posting(
        _ account: LedgerAccount, _ side: LedgerSide, _ minorUnits: Int64, _ code: String = "CAD",
        _ layer: LedgerLayer = .posted
    ) throws -> Posting {
        Posting(account: account, layer: layer, side: side, amount: try self.money(minorUnits, code))
    }

    static func entry(_ postings: [Posting]) throws(LedgerError) -> JournalEntry {
        try JournalEntry(id: "op_1", subject: "pay_1", kind: .capture, bookedAt: self.now, postings: postings)
    }
}

@Suite("Journal entries")
struct JournalEntryTests {
    @Test func takesPostingsThatSumToZero() throws {
        let postings = [
            try Sample.posting(Sample.cash, .debit, 1000), try Sample.posting(Sample.debt, .credit, 970),
            try Sample.posting(Sample.fees, .credit, 30),
        ]
        let entry = try Sample.entry(postings)
        #expect(entry.postings == postings)
        #expect(entry.id == "op_1")
        #expect(entry.subject == "pay_1")
        #expect(entry.kind == .capture)
        #expect(entry.bookedAt == Sample.now)
    }

    @Test func takesSeveralCurrenciesAndLayersThatEachSumToZero() throws {
        let entry = try Sample.entry([
            Sample.posting(Sample.cash, .debit, 5), Sample.posting(Sample.debt, .credit, 5),
            Sample.posting(Sample.cash, .credit, 7, "JPY"), Sample.posting(Sample.debt, .debit, 7, "JPY"),
            Sample.posting(Sample.debt, .debit, 9, "CAD", .pending),
            Sample.posting(Sample.cash, .credit, 9, "CAD", .pending),
        ])
        #expect(entry.postings.count == 6)
    }

    @Test func refusesNoPostings() {
        #expect(throws: LedgerError.emptyEntry(id: "op_1")) { try Sample.entry([]) }
    }

    @Test(arguments: [0, -1, Int64.min])
    func refusesAmountThatIsNotPositive(_ amount: Int64) {
        #expect(throws: LedgerError.amountNotPositive(id: "op_1")) {
            try Sample.entry([
                Sample.posting(Sample.cash, .debit, amount), Sample.posting(Sample.debt, .credit, amount),
            ])
        }
    }

    @Test func refusesOneSidedEntry() {
        #expect(throws: LedgerError.unbalanced(id: "op_1")) {
            try Sample.entry([Sample.posting(Sample.cash, .debit, 5)])
        }
    }

    @Test func refusesSumsThatDiffer() {
        #expect(throws: LedgerError.unbalanced(id: "op_1")) {
            try Sample.entry([Sample.posting(Sample.cash, .debit, 5), Sample.posting(Sample.debt, .credit, 4)])
        }
    }

    @Test func refusesBalanceAcrossCurrencies() {
        #expect(throws: LedgerError.unbalanced(id: "op_1")) {
            try Sample.entry([Sample.posting(Sample.cash, .debit, 5), Sample.posting(Sample.debt, .credit, 5, "USD")])
        }
    }

    @Test func refusesBalanceAcrossLayers() {
        #expect(throws: LedgerError.unbalanced(id: "op_1")) {
            try Sample.entry([
                Sample.posting(Sample.cash, .debit, 5), Sample.posting(Sample.debt, .credit, 5, "CAD", .pending),
            ])
        }
    }

    @Test func refusesSumBeyondBounds() {
        #expect(throws: LedgerError.overflow(id: "op_1")) {
            try Sample.entry([
                Sample.posting(Sample.cash, .debit, .max), Sample.posting(Sample.cash, .debit, 1),
                Sample.posting(Sample.debt, .credit, .max), Sample.posting(Sample.debt, .credit, 1),
            ])
        }
    }

    /// Debits of twice 2^63 on two accounts sum to zero with their credits, in whatever order a dictionary gives them.
    @Test func balancesAtTheBoundsWhateverTheOrder() throws {
        for number in 0..<50 {
            let accounts = (0..<4).map { LedgerAccount(path: "account/\(number)/\($0)") }
            let entry = try Sample.entry([
                Sample.posting(accounts[0], .debit, .max), Sample.posting(accounts[1], .debit, .max),
                Sample.posting(accounts[2], .credit, .max), Sample.posting(accounts[3], .credit, .max),
            ])
            #expect(entry.postings.count == 4)
        }
    }

    /// 2^64 too much on one side is no zero.
    @Test func wrapsNoSumAround() {
        #expect(throws: LedgerError.unbalanced(id: "op_1")) {
            try Sample.entry(
                (0..<4).map { try Sample.posting(LedgerAccount(path: "account/\($0)"), .debit, 1 << 62) })
        }
    }

    @Test func transferWritesADebitAndACreditALeg() throws {
        let entry = try JournalEntry.transfer(
            id: "op_2", subject: "pay_2", kind: .refund, bookedAt: Sample.now,
            legs: [
                JournalEntry.Leg(layer: .pending, debit: Sample.debt, credit: Sample.cash, amount: Sample.money(5)),
                JournalEntry.Leg(layer: .posted, debit: Sample.cash, credit: Sample.debt, amount: Sample.money(7)),
            ])
        #expect(
            try entry.postings == [
                Sample.posting(Sample.debt, .debit, 5, "CAD", .pending),
                Sample.posting(Sample.cash, .credit, 5, "CAD", .pending), Sample.posting(Sample.cash, .debit, 7),
                Sample.posting(Sample.debt, .credit, 7),
            ])
    }

    @Test func transferRefusesLegsOfNothing() throws {
        let leg = JournalEntry.Leg(
            layer: .posted, debit: Sample.cash, credit: Sample.debt, amount: try Sample.money(0))
        #expect(throws: LedgerError.amountNotPositive(id: "x")) {
            try JournalEntry.transfer(id: "x", subject: "s", kind: .hold, bookedAt: Sample.now, legs: [leg])
        }
        #expect(throws: LedgerError.emptyEntry(id: "x")) {
            try JournalEntry.transfer(id: "x", subject: "s", kind: .hold, bookedAt: Sample.now, legs: [])
        }
    }

    @Test func errorsNameTheEntry() {
        for error in [
            LedgerError.emptyEntry(id: "op_9"), .amountNotPositive(id: "op_9"), .unbalanced(id: "op_9"),
            .overflow(id: "op_9"),
        ] {
            #expect("\(error)".hasPrefix("journal entry op_9"))
        }
        #expect("\(LedgerError.sumTooLarge(account: "merchant/m/payable"))".contains("merchant/m/payable"))
    }
}
