//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments
import Time

extension PostgreSQLReading {
    func journal(of payment: PaymentID) throws -> [JournalEntry] {
        try self.transaction.lock(payment)
        let rows = try self.transaction.rows([
            (
                """
                SELECT version, ordinal, id, kind, booked_at FROM journal_entries WHERE payment_id = $1
                ORDER BY version, ordinal
                """, [payment.text]
            ),
            (
                """
                SELECT version, entry_ordinal, account, layer, side, minor_units, currency FROM postings
                WHERE payment_id = $1 ORDER BY version, entry_ordinal, ordinal
                """, [payment.text]
            ),
        ])
        let entries = try rows[0].all("journal_entries") { try EntryRow(&$0) }
        let postings = try rows[1].all("postings") { try PostingRow(&$0) }
        let postingsByEntry = Dictionary(grouping: postings, by: \.place)
        guard postingsByEntry.count == entries.count else { throw StoreError.corrupt("postings.entry_ordinal") }
        return try entries.map { try $0.entry(about: payment, with: postingsByEntry[$0.place] ?? []) }
    }

    func ledgerSums() throws -> [LedgerBalances.Key: LedgerBalances.Sums] {
        let rows = try self.transaction.all(
            """
            SELECT account, layer, currency, side, SUM(minor_units)::bigint FROM postings
            GROUP BY account, layer, currency, side
            """, table: "postings"
        ) { columns in
            let key = LedgerBalances.Key(
                account: LedgerAccount(path: try columns.name()), layer: try columns.choice(),
                currency: try columns.currency())
            let side: LedgerSide = try columns.choice()
            return (key: key, side: side, sum: try columns.integer())
        }
        let zero = LedgerBalances()
        var sums: [LedgerBalances.Key: LedgerBalances.Sums] = [:]
        for row in rows {
            let key = row.key
            switch row.side {
            case .debit: sums[key, default: zero[key.account, key.layer, key.currency]].debits = row.sum
            case .credit: sums[key, default: zero[key.account, key.layer, key.currency]].credits = row.sum
            }
        }
        return sums
    }
}

extension PostgreSQLTransaction {
    /// Books what a change of a payment brought with it.
    func insert(_ journal: [JournalEntry], of payment: PaymentID, version: Int) throws {
        for (ordinal, entry) in journal.enumerated() {
            guard entry.subject == payment.text else { throw StoreError.corrupt("journal_entries.payment_id") }
            try self.transaction.execute(
                """
                INSERT INTO journal_entries (payment_id, version, ordinal, id, kind, booked_at)
                VALUES ($1, $2, $3, $4, $5, $6)
                """, payment.text, version, ordinal, entry.id, entry.kind.rawValue, entry.bookedAt.milliseconds)
            var arguments: [(any PostgreSQLArgument)?] = []
            for (postingOrdinal, posting) in entry.postings.enumerated() {
                arguments += [
                    payment.text, version, ordinal, postingOrdinal, posting.account.path, posting.layer.rawValue,
                    posting.side.rawValue, posting.amount.minorUnits, posting.amount.currency.code,
                ]
            }
            try self.transaction.execute(
                postingInsert(count: entry.postings.count), arguments, orElse: nil)
        }
    }
}

/// The statement that writes all postings of an entry. Entries have two or four; the bookkeeping makes no others.
private func postingInsert(count: Int) -> String {
    switch count {
    case 2: insertOfTwoPostings
    case 4: insertOfFourPostings
    default: makePostingInsert(count: count)
    }
}

private let insertOfTwoPostings = makePostingInsert(count: 2)
private let insertOfFourPostings = makePostingInsert(count: 4)

private func makePostingInsert(count: Int) -> String {
    """
    INSERT INTO postings (payment_id, version, entry_ordinal, ordinal, account, layer, side, minor_units, currency)
    VALUES \((0..<count).map { "(\(parameters(9, from: 1 + $0 * 9)))" }.joined(separator: ", "))
    """
}

/// Where an entry stands in a payment's journal.
private struct EntryPlace: Hashable {
    let version: Int
    let ordinal: Int
}

private struct EntryRow {
    let place: EntryPlace
    let id: String
    let kind: JournalEntry.Kind
    let bookedAt: Timestamp

    init(_ columns: inout PostgreSQLColumns) throws {
        self.place = EntryPlace(version: try columns.count(), ordinal: try columns.count())
        self.id = try columns.name()
        self.kind = try columns.choice()
        self.bookedAt = try columns.timestamp()
    }

    func entry(about payment: PaymentID, with postings: [PostingRow]) throws -> JournalEntry {
        do throws(LedgerError) {
            return try JournalEntry(
                id: self.id, subject: payment.text, kind: self.kind, bookedAt: self.bookedAt,
                postings: postings.map(\.posting))
        } catch {
            // An entry that does not balance, or that has no postings.
            throw StoreError.corrupt("postings.minor_units")
        }
    }
}

private struct PostingRow {
    let place: EntryPlace
    let posting: Posting

    init(_ columns: inout PostgreSQLColumns) throws {
        self.place = EntryPlace(version: try columns.count(), ordinal: try columns.count())
        self.posting = Posting(
            account: LedgerAccount(path: try columns.name()), layer: try columns.choice(), side: try columns.choice(),
            amount: try columns.money())
    }
}
