//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import StoreRows

extension PostgreSQLReading {
    func journal(of payment: PaymentID) throws -> [JournalEntry] {
        try self.transaction.lock(payment)
        let rows = try self.transaction.rows([(entriesQuery, [payment.text]), (postingsQuery, [payment.text])])
        let entries = try rows[0].all("journal_entries") { try EntryRow(&$0) }
        let postings = try rows[1].all("postings") { try PostingRow(&$0) }
        return try EntryRow.journal(of: payment, entries, with: postings)
    }

    func ledgerSums() throws -> [LedgerBalances.Key: LedgerBalances.Sums] {
        let rows = try self.transaction.all(
            """
            SELECT account, layer, currency, side, SUM(minor_units)::bigint FROM postings
            GROUP BY account, layer, currency, side
            """, table: "postings"
        ) { try LedgerSumRow(&$0) }
        return LedgerSumRow.sums(rows)
    }
}

extension PostgreSQLTransaction {
    /// Books what a change of a payment brought with it.
    func insert(_ journal: [JournalEntry], of payment: PaymentID, version: Int) throws {
        for (ordinal, entry) in journal.enumerated() {
            try self.transaction.execute(
                entryInsert, try entry.columnValues(of: payment, version: version, ordinal: ordinal))
            try self.transaction.execute(
                postingInsert.statement(count: entry.postings.count),
                entry.postingValues(of: payment, version: version, ordinal: ordinal))
        }
    }
}

private let entriesQuery = """
    SELECT \(JournalEntry.table.list(EntryRow.columns)) FROM journal_entries
    WHERE payment_id = $1 ORDER BY version, ordinal
    """

private let postingsQuery = """
    SELECT \(Posting.table.list(PostingRow.columns)) FROM postings
    WHERE payment_id = $1 ORDER BY version, entry_ordinal, ordinal
    """

private let entryInsert = JournalEntry.table.insert(parameters)
private let postingInsert = PostingInsert(parameters)
