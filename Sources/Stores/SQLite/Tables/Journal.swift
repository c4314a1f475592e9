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
        var sums: [LedgerBalances.Key: LedgerBalances.Sums] = [:]
        try self.connection.forEach(LedgerSumRow.postings, table: "postings") { try LedgerSumRow(&$0).add(to: &sums) }
        return sums
    }
}

extension SQLiteTransaction {
    /// Books what a change of a payment brought with it.
    func insert(_ journal: [JournalEntry], of payment: PaymentID, version: Int) throws {
        for (ordinal, entry) in journal.enumerated() {
            try self.connection.execute(
                entryInsert, try entry.columnValues(of: payment, version: version, ordinal: ordinal))
            try self.connection.execute(
                postingInserts.statement(count: entry.postings.count),
                entry.postingValues(of: payment, version: version, ordinal: ordinal))
        }
    }
}

private let entriesQuery = EntryRow.select(parameters)
private let postingsQuery = PostingRow.select(parameters)
private let entryInsert = HotStatement(JournalEntry.table.insert(parameters))
private let postingInserts = Posting.inserts(parameters) { HotStatement($0) }
