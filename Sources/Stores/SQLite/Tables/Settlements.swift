//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import StoreRows
import Time

extension SQLiteReading {
    func settlementFile(_ id: SettlementFileID) throws -> SettlementFile? {
        try self.connection.record(statements.fileByID, id.text)
    }

    func settlementFile(of account: AcquirerAccountID, digest: [UInt8]) throws -> SettlementFile? {
        try self.connection.record(statements.fileByDigest, account.text, digest)
    }

    func settlementFiles(
        of merchant: MerchantID?, before id: SettlementFileID?, limit: Int
    ) throws -> [SettlementFile] {
        let query = SettlementFile.select(of: merchant, before: id, limit: limit, parameters)
        return try self.connection.all(query, table: SettlementFile.table.name) { try SettlementFile(&$0) }
    }

    func settlementFiles(of merchant: MerchantID, from: Timestamp, to: Timestamp) throws -> Set<SettlementFileID> {
        let query = SettlementFile.ids(of: merchant, from: from, to: to, parameters)
        return Set(try self.connection.all(query, table: SettlementFile.table.name) { try $0.id() })
    }

    func settlementItem(_ id: SettlementItem.ID) throws -> SettlementItem? {
        try self.connection.record(statements.itemByID, id.file.text, id.number)
    }

    func settlementItem(of account: AcquirerAccountID, identity: String) throws -> SettlementItem? {
        try self.connection.record(statements.itemByIdentity, account.text, identity)
    }

    func settlementItem(settling operation: OperationID) throws -> SettlementItem? {
        try self.connection.record(statements.itemByOperation, operation.text)
    }

    func settlementItems(_ query: SettlementQuery) throws -> [SettlementItem] {
        try self.connection.all(query.page(parameters), table: SettlementItem.table.name) { try SettlementItem(&$0) }
    }

    func settlementItems(in window: SettlementWindow) throws -> [SettlementItem] {
        try self.connection.all(window.page(parameters), table: SettlementItem.table.name) { try SettlementItem(&$0) }
    }

    func settlementJournal(of item: SettlementItem) throws -> [JournalEntry] {
        try SettlementPostingRow.journal(
            of: item, self.connection.records(statements.postingsQuery, item.id.file.text, item.id.number))
    }

    func settlementPostingsCount() throws -> Int {
        try self.connection.all(statements.postingsCount, table: SettlementPostingRow.table.name) {
            try $0.count()
        }.first ?? 0
    }
}

extension SQLiteTransaction {
    func insert(_ file: SettlementFile) throws {
        try self.connection.execute(statements.fileInsert, file.columnValues)
    }

    func insert(_ item: SettlementItem, booking entry: JournalEntry?) throws {
        try self.connection.atomically {
            try self.connection.execute(statements.itemInsert, item.columnValues)
            try self.insert(entry, for: item, isResolution: false)
        }
    }

    func resolve(_ item: SettlementItem, booking entry: JournalEntry?) throws {
        try self.connection.atomically {
            let changesCount = try self.connection.execute(
                statements.itemResolution, item.values(of: SettlementItem.resolutionChange.columns))
            guard changesCount == 1 else { throw StoreError.conflict }
            try self.insert(entry, for: item, isResolution: true)
        }
    }

    private func insert(_ entry: JournalEntry?, for item: SettlementItem, isResolution: Bool) throws {
        for row in SettlementPostingRow.rows(of: entry, for: item, isResolution: isResolution) {
            try self.connection.execute(statements.postingInsert, row.columnValues)
        }
    }
}

private let statements = SettlementStatements(parameters)
