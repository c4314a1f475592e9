//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import StoreRows
import Time

extension PostgreSQLReading {
    func settlementFile(_ id: SettlementFileID) throws -> SettlementFile? {
        try self.transaction.record(statements.fileByID, id.text)
    }

    func settlementFile(of account: AcquirerAccountID, digest: [UInt8]) throws -> SettlementFile? {
        try self.transaction.record(statements.fileByDigest, account.text, digest)
    }

    func settlementFiles(
        of merchant: MerchantID?, before id: SettlementFileID?, limit: Int
    ) throws -> [SettlementFile] {
        let query = SettlementFile.select(of: merchant, before: id, limit: limit, parameters)
        return try self.transaction.all(query, table: SettlementFile.table.name) { try SettlementFile(&$0) }
    }

    func settlementFiles(of merchant: MerchantID, from: Timestamp, to: Timestamp) throws -> Set<SettlementFileID> {
        let query = SettlementFile.ids(of: merchant, from: from, to: to, parameters)
        return Set(try self.transaction.all(query, table: SettlementFile.table.name) { try $0.id() })
    }

    func settlementItem(_ id: SettlementItem.ID) throws -> SettlementItem? {
        try self.transaction.record(statements.itemByID, id.file.text, id.number)
    }

    func settlementItem(of account: AcquirerAccountID, identity: String) throws -> SettlementItem? {
        try self.transaction.record(statements.itemByIdentity, account.text, identity)
    }

    func settlementItem(settling operation: OperationID) throws -> SettlementItem? {
        try self.transaction.record(statements.itemByOperation, operation.text)
    }

    func settlementItems(settling operations: Set<OperationID>) throws -> [OperationID: SettlementItem] {
        guard !operations.isEmpty else { return [:] }
        let items: [SettlementItem] = try self.transaction.records(itemsByOperations, list(operations))
        return items.reduce(into: [:]) { found, item in
            if let operation = item.operationID { found[operation] = item }
        }
    }

    func settlementItems(
        of account: AcquirerAccountID, identities: Set<String>
    ) throws -> [String: SettlementItem] {
        guard !identities.isEmpty else { return [:] }
        let items: [SettlementItem] = try self.transaction.records(itemsByIdentities, account.text, list(identities))
        return items.reduce(into: [:]) { $0[$1.identity] = $1 }
    }

    func settlementItems(_ query: SettlementQuery) throws -> [SettlementItem] {
        try self.transaction.all(query.page(parameters), table: SettlementItem.table.name) { try SettlementItem(&$0) }
    }

    func settlementItems(in window: SettlementWindow) throws -> [SettlementItem] {
        try self.transaction.all(window.page(parameters), table: SettlementItem.table.name) { try SettlementItem(&$0) }
    }

    func settlementJournal(of item: SettlementItem) throws -> [JournalEntry] {
        try SettlementPostingRow.journal(
            of: item, self.transaction.records(statements.postingsQuery, item.id.file.text, item.id.number))
    }

    func settlementJournals(of items: [SettlementItem]) throws -> [SettlementItem.ID: [JournalEntry]] {
        guard !items.isEmpty else { return [:] }
        let rows: [SettlementPostingRow] = try self.transaction.records(
            settlementPostingsByItems, items.map(\.id.file.text).joined(separator: ","),
            items.map { "\($0.id.number)" }.joined(separator: ","))
        let postings = Dictionary(grouping: rows, by: \.itemID)
        return try items.reduce(into: [:]) { journals, item in
            journals[item.id] = try SettlementPostingRow.journal(of: item, postings[item.id] ?? [])
        }
    }

    /// Counted page by page, for the reason of ``ledgerSums()``.
    func settlementPostingsCount() throws -> Int {
        var (count, after) = (0, "")
        while let page = try self.transaction.all(
            countOfPage, after, table: SettlementPostingRow.table.name,
            read: { (last: try $0.text(), count: try $0.count()) }
        ).first {
            count += page.count
            after = page.last
        }
        return count
    }
}

extension PostgreSQLTransaction {
    func insert(_ file: SettlementFile) throws {
        try self.transaction.write { try self.transaction.execute(statements.fileInsert, file.columnValues) }
    }

    func insert(_ item: SettlementItem, booking entry: JournalEntry?) throws {
        try self.transaction.write {
            try self.transaction.execute(statements.itemInsert, item.columnValues)
            try self.insert(entry, for: item, isResolution: false)
        }
    }

    func resolve(_ item: SettlementItem, booking entry: JournalEntry?) throws {
        try self.transaction.write {
            try self.transaction.require(
                itemResolution, item.values(of: SettlementItem.resolutionChange.columns), orElse: .conflict)
            try self.insert(entry, for: item, isResolution: true)
        }
    }

    private func insert(_ entry: JournalEntry?, for item: SettlementItem, isResolution: Bool) throws {
        for row in SettlementPostingRow.rows(of: entry, for: item, isResolution: isResolution) {
            try self.transaction.execute(statements.postingInsert, row.columnValues)
        }
    }
}

private let statements = SettlementStatements(parameters)
private let itemResolution = RequiredChange(statements.itemResolution)

let itemsByOperations = """
    SELECT \(SettlementItem.table.names) FROM settlement_items
    WHERE operation_id = \(anyListed) AND \(SettlementItem.settles)
    """

/// Takes the account and the identities.
let itemsByIdentities = """
    SELECT \(SettlementItem.table.names) FROM settlement_items
    WHERE account_id = $1 AND identity = ANY (\(listedTexts(2)))
    """

/// Takes the items' files and their numbers.
let settlementPostingsByItems = """
    SELECT \(SettlementPostingRow.table.names) FROM unnest(
        string_to_array($1, ','), string_to_array($2, ',')::bigint[]
    ) AS keys (file, number)
    JOIN settlement_postings ON file_id = keys.file AND item_number = keys.number
    ORDER BY file_id, item_number, is_resolution, ordinal
    """

/// Of the next files, as many as have some hundred thousand.
private let countOfPage = """
    WITH page AS MATERIALIZED (
        SELECT MAX(file_id) AS last
        FROM (
            SELECT file_id FROM settlement_postings WHERE file_id > $1 ORDER BY file_id LIMIT 100000
        ) AS files
    )
    SELECT (SELECT last FROM page), COUNT(*) FROM settlement_postings
    WHERE file_id > $1 AND file_id <= (SELECT last FROM page) HAVING COUNT(*) > 0
    """
