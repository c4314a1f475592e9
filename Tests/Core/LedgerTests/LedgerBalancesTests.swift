//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import TestRandom
import Testing

@Suite("Balances")
struct LedgerBalancesTests {
    private func entry(
        _ debit: LedgerAccount, _ credit: LedgerAccount, _ amount: Int64, _ code: String = "CAD",
        _ layer: LedgerLayer = .posted
    ) throws -> JournalEntry {
        try Sample.entry([
            Sample.posting(debit, .debit, amount, code, layer), Sample.posting(credit, .credit, amount, code, layer),
        ])
    }

    @Test func startEmptyAndBalanced() throws {
        let balances = LedgerBalances()
        #expect(balances.isBalanced)
        #expect(balances.sums.isEmpty)
        #expect(balances[Sample.cash, .posted, try Sample.money(0).currency] == LedgerBalances.Sums())
    }

    @Test func countDebitsAndCreditsUpwards() throws {
        var balances = LedgerBalances()
        try balances.add(self.entry(Sample.cash, Sample.debt, 1000))
        try balances.add(self.entry(Sample.debt, Sample.cash, 400))
        let currency = try Sample.money(0).currency
        let debt = balances[Sample.debt, .posted, currency]
        #expect(debt.credits == 1000)
        #expect(debt.debits == 400)
        #expect(debt.creditBalance == 600)
        #expect(balances[Sample.cash, .posted, currency].creditBalance == -600)
        #expect(balances.isBalanced)
    }

    @Test func keepLayersAndCurrenciesApart() throws {
        var balances = LedgerBalances()
        try balances.add(self.entry(Sample.cash, Sample.debt, 1))
        try balances.add(self.entry(Sample.cash, Sample.debt, 2, "JPY"))
        try balances.add(self.entry(Sample.cash, Sample.debt, 4, "CAD", .pending))
        #expect(balances.sums.count == 6)
        #expect(try balances[Sample.debt, .posted, Sample.money(0).currency].credits == 1)
        #expect(try balances[Sample.debt, .posted, Sample.money(0, "JPY").currency].credits == 2)
        #expect(try balances[Sample.debt, .pending, Sample.money(0).currency].credits == 4)
        #expect(balances.isBalanced)
    }

    @Test func refuseSumBeyondBounds() throws {
        var balances = LedgerBalances()
        try balances.add(self.entry(Sample.cash, Sample.debt, .max))
        #expect(throws: LedgerError.overflow(id: "op_1")) {
            try balances.add(self.entry(Sample.cash, Sample.debt, 1))
        }
    }

    @Test func bothSidesAtTheBoundAreInBalance() throws {
        var balances = LedgerBalances()
        try balances.add(self.entry(Sample.cash, Sample.debt, .max))
        try balances.add(self.entry(Sample.debt, Sample.cash, .max))
        let debt = try balances[Sample.debt, .posted, Sample.money(0).currency]
        #expect(debt.creditBalance == 0)
        #expect(balances.isBalanced)
    }

    @Test func everyEntryKeepsThemInBalance() throws {
        var random = SeededRandom(seed: 4)
        let accounts = (0..<10).map { LedgerAccount(path: "account/\($0)") }
        var balances = LedgerBalances()
        var credited: Int64 = 0
        for _ in 0..<2000 {
            let amount = Int64.random(in: 1...1_000_000, using: &random)
            let debit = accounts.randomElement(using: &random) ?? Sample.cash
            let credit = accounts.randomElement(using: &random) ?? Sample.debt
            let layer: LedgerLayer = Bool.random(using: &random) ? .pending : .posted
            try balances.add(self.entry(debit, credit, amount, "CAD", layer))
            credited += amount
            #expect(balances.isBalanced)
        }
        #expect(balances.sums.values.reduce(0) { $0 + $1.credits } == credited)
        #expect(balances.sums.values.reduce(0) { $0 + $1.debits } == credited)
    }

    @Test func accountIsDescribedByItsPath() {
        #expect(Sample.cash.description == Sample.cash.path)
    }
}
