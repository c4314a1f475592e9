//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import StoreRows

extension SQLiteReading {
    func settlementFile(_ id: SettlementFileID) throws -> SettlementFile? {
        try self.connection.record(fileByID, id.text)
    }

    func settlementFile(of account: AcquirerAccountID, digest: [UInt8]) throws -> SettlementFile? {
        try self.connection.record(fileByDigest, account.text, digest)
    }

    func settlementFiles(
        of merchant: MerchantID?, before id: SettlementFileID?, limit: Int
    ) throws -> [SettlementFile] {
        let query = SettlementFile.select(of: merchant, before: id, limit: limit, parameters)
        return try self.connection.all(query, table: SettlementFile.table.name) { try SettlementFile(&$0) }
    }

    func settlementItem(_ id: SettlementItem.ID) throws -> SettlementItem? {
        try self.connection.record(itemByID, id.file.text, id.number)
    }

    func settlementItem(of account: AcquirerAccountID, identity: String) throws -> SettlementItem? {
        try self.connection.record(itemByIdentity, account.text, identity)
    }

    func settlementItem(settling operation: OperationID) throws -> SettlementItem? {
        try self.connection.record(itemByOperation, operation.text)
    }

    func settlementItems(_ query: SettlementQuery) throws -> [SettlementItem] {
        try self.connection.all(query.page(parameters), table: SettlementItem.table.name) { try SettlementItem(&$0) }
    }

    func settlementJournal(of item: SettlementItem) throws -> [JournalEntry] {
        try SettlementPostingRow.journal(
            of: item, self.connection.records(postingsQuery, item.id.file.text, item.id.number))
    }

    func settlementPostingsCount() throws -> Int {
        try self.connection.all("SELECT COUNT(*) FROM settlement_postings", table: "settlement_postings") {
            try $0.count()
        }.first ?? 0
    }
}

extension SQLiteTransaction {
    func insert(_ file: SettlementFile) throws {
        try self.connection.execute(fileInsert, file.columnValues)
    }

    func insert(_ item: SettlementItem, booking entry: JournalEntry?) throws {
        try self.connection.atomically {
            try self.connection.execute(itemInsert, item.columnValues)
            try self.insert(entry, for: item, isResolution: false)
        }
    }

    func resolve(_ item: SettlementItem, booking entry: JournalEntry?) throws {
        try self.connection.atomically {
            let changesCount = try self.connection.execute(
                itemResolution, item.values(of: SettlementItem.resolutionChange.columns))
            guard changesCount == 1 else { throw StoreError.conflict }
            try self.insert(entry, for: item, isResolution: true)
        }
    }

    private func insert(_ entry: JournalEntry?, for item: SettlementItem, isResolution: Bool) throws {
        for row in SettlementPostingRow.rows(of: entry, for: item, isResolution: isResolution) {
            try self.connection.execute(postingInsert, row.columnValues)
        }
    }
}

private let fileByID = SettlementFile.table.select(by: .id, with: parameters)
private let fileByDigest = SettlementFile.table.select(by: .accountID, .digest, with: parameters)
private let fileInsert = SettlementFile.table.insert(parameters)
private let itemByID = SettlementItem.table.select(by: .fileID, .number, with: parameters)
private let itemByIdentity = SettlementItem.table.select(by: .accountID, .identity, with: parameters)
private let itemByOperation = SettlementItem.settling(parameters)
private let itemInsert = SettlementItem.table.insert(parameters)
private let itemResolution = SettlementItem.resolutionStatement(parameters)
private let postingsQuery = SettlementPostingRow.select(parameters)
private let postingInsert = SettlementPostingRow.table.insert(parameters)
