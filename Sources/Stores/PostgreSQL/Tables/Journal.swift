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
        let rows = try self.transaction.rows(
            [(entriesQuery, [payment.text]), (postingsQuery, [payment.text])], of: [payment.text])
        let entries = try rows[0].all("journal_entries") { try EntryRow(&$0) }
        let postings = try rows[1].all("postings") { try PostingRow(&$0) }
        return try EntryRow.journal(of: payment, entries, with: postings)
    }

    func journals(of payments: Set<PaymentID>) throws -> [PaymentID: [JournalEntry]] {
        guard !payments.isEmpty else { return [:] }
        let ids: RowArguments = [list(payments)]
        let rows = try self.transaction.rows([(entriesOfAll, ids), (postingsOfAll, ids)])
        let entries = try rows[0].grouped("journal_entries") { try EntryRow(&$0) }
        let postings = try rows[1].grouped("postings") { try PostingRow(&$0) }
        return try payments.reduce(into: [:]) { journals, id in
            journals[id] = try EntryRow.journal(of: id, entries[id] ?? [], with: postings[id] ?? [])
        }
    }

    /// Added page by page: one statement for all postings would take longer than the server lets one run.
    func ledgerSums() throws -> [LedgerBalances.Key: LedgerBalances.Sums] {
        var sums: [LedgerBalances.Key: LedgerBalances.Sums] = [:]
        for (table, query) in sumsOfPages {
            var after = ""
            while true {
                let rows = try self.transaction.all(query, after, table: table) { columns in
                    (last: try columns.text(), sum: try LedgerSumRow(&columns))
                }
                for row in rows { try row.sum.add(to: &sums) }
                guard let last = rows.first?.last else { break }
                after = last
            }
        }
        return sums
    }
}

extension PostgreSQLTransaction {
    /// Books what a change of a payment brought with it.
    func insert(_ journal: [JournalEntry], of payment: PaymentID, version: Int) throws {
        for (ordinal, entry) in journal.enumerated() {
            try self.transaction.put(
                .entry, try entry.columnValues(of: payment, version: version, ordinal: ordinal), of: [payment.text])
            try self.transaction.put(
                .posting, entry.postingValues(of: payment, version: version, ordinal: ordinal),
                rows: entry.postings.count, of: [payment.text])
        }
    }
}

private let entriesQuery = EntryRow.select(parameters)
private let postingsQuery = PostingRow.select(parameters)

/// By table: the sums of the next owners' postings, as many owners as have some fifty thousand, with the last of them in front
/// of each. The last is looked for apart, so that the server knows a range of the key where it plans the sums.
private let sumsOfPages = [("postings", "payment_id"), ("settlement_postings", "file_id")].map { table, owner in
    (
        table,
        """
        WITH page AS MATERIALIZED (
            SELECT MAX(\(owner)) AS last
            FROM (SELECT \(owner) FROM \(table) WHERE \(owner) > $1 ORDER BY \(owner) LIMIT 50000) AS owners
        )
        SELECT (SELECT last FROM page), account, layer, currency, side, \(LedgerSumRow.sum)
        FROM \(table) WHERE \(owner) > $1 AND \(owner) <= (SELECT last FROM page)
        GROUP BY account, layer, currency, side
        """
    )
}

private let entriesOfAll = """
    SELECT payment_id, \(JournalEntry.table.list(EntryRow.columns)) FROM journal_entries
    WHERE payment_id = \(anyListed) ORDER BY payment_id, version, ordinal
    """
private let postingsOfAll = """
    SELECT payment_id, \(Posting.table.list(PostingRow.columns)) FROM postings
    WHERE payment_id = \(anyListed) ORDER BY payment_id, version, entry_ordinal, ordinal
    """

extension PostgreSQLRows {
    /// Rows that begin with their payment's id, by payment, in the statement's order.
    fileprivate func grouped<Row>(
        _ table: String, _ read: (inout PostgreSQLColumns) throws -> Row
    ) throws -> [PaymentID: [Row]] {
        let rows = try self.all(table) { columns in (id: try columns.id() as PaymentID, row: try read(&columns)) }
        return Dictionary(grouping: rows) { $0.id }.mapValues { $0.map { $0.row } }
    }
}
