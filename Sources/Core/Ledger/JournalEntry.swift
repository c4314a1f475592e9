//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Time

/// A journal entry: postings that belong together and sum to zero in every layer and currency. Written once, never
/// changed.
public struct JournalEntry: Hashable, Sendable {
    /// What the entry books, in the vocabulary of two-phase transfers.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An authorization holds an amount, or an adjustment more of it.
        case hold
        /// A capture posts an amount out of the hold.
        case capture
        /// The void of an authorization gives the hold back, a final capture what is left of it, an adjustment a part.
        case release
        /// A refund posts the opposite way.
        case refund
        /// A sale, a capture or a refund is taken back.
        case void
        /// What the acquirer had approved came to nothing.
        case failure
        /// The cardholder's bank takes captured money back.
        case chargeback
        /// The acquirer keeps money for itself.
        case fee
        /// A line of a settlement file.
        case settlement
        /// A difference to a settlement file has been explained.
        case correction
    }

    /// Unique. Derived from the operation that is booked, so that nothing is booked twice.
    public let id: String
    /// What the entry is about: the id of the payment, or of the settlement file.
    public let subject: String
    public let kind: Kind
    public let bookedAt: Timestamp
    public let postings: [Posting]

    /// - Throws: ``LedgerError`` when a posting isn't positive or a layer does not sum to zero.
    public init(id: String, subject: String, kind: Kind, bookedAt: Timestamp, postings: [Posting]) throws(LedgerError) {
        guard !postings.isEmpty else { throw .emptyEntry(id: id) }
        guard postings.allSatisfy(\.amount.isPositive) else { throw .amountNotPositive(id: id) }
        var balances = LedgerBalances()
        for posting in postings { try balances.add(posting, entryID: id) }
        guard balances.isBalanced else { throw .unbalanced(id: id) }
        self.id = id
        self.subject = subject
        self.kind = kind
        self.bookedAt = bookedAt
        self.postings = postings
    }

    /// An entry between two accounts in one layer.
    public static func transfer(
        id: String, subject: String, kind: Kind, bookedAt: Timestamp, legs: [Leg]
    ) throws(LedgerError) -> JournalEntry {
        let postings = legs.flatMap { leg in
            [
                Posting(account: leg.debit, layer: leg.layer, side: .debit, amount: leg.amount),
                Posting(account: leg.credit, layer: leg.layer, side: .credit, amount: leg.amount),
            ]
        }
        return try JournalEntry(id: id, subject: subject, kind: kind, bookedAt: bookedAt, postings: postings)
    }

    /// A debit and its credit.
    public struct Leg: Hashable, Sendable {
        public let layer: LedgerLayer
        public let debit: LedgerAccount
        public let credit: LedgerAccount
        public let amount: Money

        public init(layer: LedgerLayer, debit: LedgerAccount, credit: LedgerAccount, amount: Money) {
            self.layer = layer
            self.debit = debit
            self.credit = credit
            self.amount = amount
        }
    }
}

/// Why an entry or a sum is refused.
public enum LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    case emptyEntry(id: String)
    case amountNotPositive(id: String)
    case unbalanced(id: String)
    case overflow(id: String)
    /// Of all entries' postings to one side of an account.
    case sumTooLarge(account: String)

    public var description: String {
        switch self {
        case .emptyEntry(let id): "journal entry \(id) has no postings"
        case .amountNotPositive(let id): "journal entry \(id) has a posting that is not positive"
        case .unbalanced(let id): "journal entry \(id): debits and credits differ in a layer"
        case .overflow(let id): "journal entry \(id) takes a sum beyond what 64 bits hold"
        case .sumTooLarge(let account): "a sum of the account \(account) is beyond what 64 bits hold"
        }
    }
}
