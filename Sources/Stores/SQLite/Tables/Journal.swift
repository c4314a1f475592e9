//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import StoreRows

extension SQLiteReading {
    func journal(of payment: PaymentID) throws -> [JournalEntry] {
        let entries = try self.connection.all(entriesQuery, payment.text, table: "journal_entries") {
            try EntryRow(&$0)
        }
        let postings = try self.connection.all(postingsQuery, payment.text, table: "postings") {
            try PostingRow(&$0)
        }
        return try EntryRow.journal(of: payment, entries, with: postings)
    }

    func ledgerSums() throws -> [LedgerBalances.Key: LedgerBalances.Sums] {
        let rows = try self.connection.all(
            """
            SELECT account, layer, currency, side, SUM(minor_units) FROM postings
            GROUP BY account, layer, currency, side
            """, table: "postings"
        ) { try LedgerSumRow(&$0) }
        return LedgerSumRow.sums(rows)
    }
}

extension SQLiteTransaction {
    /// Books what a change of a payment brought with it.
    func insert(_ journal: [JournalEntry], of payment: PaymentID, version: Int) throws {
        for (ordinal, entry) in journal.enumerated() {
            try self.connection.execute(
                entryInsert, try entry.columnValues(of: payment, version: version, ordinal: ordinal))
            try self.connection.execute(
                postingInsert.statement(count: entry.postings.count),
                entry.postingValues(of: payment, version: version, ordinal: ordinal))
        }
    }
}

private let entriesQuery = """
    SELECT \(JournalEntry.table.list(EntryRow.columns)) FROM journal_entries
    WHERE payment_id = ? ORDER BY version, ordinal
    """

private let postingsQuery = """
    SELECT \(Posting.table.list(PostingRow.columns)) FROM postings
    WHERE payment_id = ? ORDER BY version, entry_ordinal, ordinal
    """

private let entryInsert = JournalEntry.table.insert(parameters)
private let postingInsert = PostingInsert(parameters)
