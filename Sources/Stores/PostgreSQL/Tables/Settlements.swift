//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import StoreRows

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

    func settlementItem(_ id: SettlementItem.ID) throws -> SettlementItem? {
        try self.transaction.record(statements.itemByID, id.file.text, id.number)
    }

    func settlementItem(of account: AcquirerAccountID, identity: String) throws -> SettlementItem? {
        try self.transaction.record(statements.itemByIdentity, account.text, identity)
    }

    func settlementItem(settling operation: OperationID) throws -> SettlementItem? {
        try self.transaction.record(statements.itemByOperation, operation.text)
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

    func settlementPostingsCount() throws -> Int {
        try self.transaction.all(statements.postingsCount, table: SettlementPostingRow.table.name) {
            try $0.count()
        }.first ?? 0
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
