//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money

/// Running sums of postings by account, layer and currency.
public struct LedgerBalances: Hashable, Sendable {
    /// Which sum.
    public struct Key: Hashable, Sendable {
        public let account: LedgerAccount
        public let layer: LedgerLayer
        public let currency: Currency

        public init(account: LedgerAccount, layer: LedgerLayer, currency: Currency) {
            self.account = account
            self.layer = layer
            self.currency = currency
        }
    }

    /// Debits and credits, in minor units, both counted upwards.
    public struct Sums: Hashable, Sendable {
        public var debits: Int64 = 0
        public var credits: Int64 = 0

        public init() {}

        /// Credits less debits: what a liability account holds.
        public var creditBalance: Int64 { self.credits - self.debits }
    }

    public private(set) var sums: [Key: Sums] = [:]

    public init() {}

    public subscript(account: LedgerAccount, layer: LedgerLayer, currency: Currency) -> Sums {
        self.sums[Key(account: account, layer: layer, currency: currency)] ?? Sums()
    }

    /// Adds every posting of an entry.
    public mutating func add(_ entry: JournalEntry) throws(LedgerError) {
        for posting in entry.postings { try self.add(posting, entryID: entry.id) }
    }

    mutating func add(_ posting: Posting, entryID: String) throws(LedgerError) {
        let key = Key(account: posting.account, layer: posting.layer, currency: posting.amount.currency)
        var sums = self.sums[key] ?? Sums()
        let before = posting.side == .debit ? sums.debits : sums.credits
        let (after, overflow) = before.addingReportingOverflow(posting.amount.minorUnits)
        guard !overflow else { throw .overflow(id: entryID) }
        if posting.side == .debit { sums.debits = after } else { sums.credits = after }
        self.sums[key] = sums
    }

    /// Whether debits equal credits over all accounts, in every layer and currency.
    public var isBalanced: Bool {
        struct Book: Hashable {
            let layer: LedgerLayer
            let currency: Currency
        }
        // Two limbs of 32 bits: a single sum could overflow on the way to zero, or not, by the order of the accounts.
        var totals: [Book: (high: Int64, low: Int64)] = [:]
        for (key, sums) in self.sums {
            let book = Book(layer: key.layer, currency: key.currency)
            let balance = sums.creditBalance
            totals[book, default: (0, 0)].high += balance >> 32
            totals[book, default: (0, 0)].low += balance & 0xFFFF_FFFF
        }
        return totals.values.allSatisfy { $0.low & 0xFFFF_FFFF == 0 && $0.high + $0.low >> 32 == 0 }
    }
}
