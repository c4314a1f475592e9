//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import StoreRows

extension PostgreSQLReading {
    func settlementFile(_ id: SettlementFileID) throws -> SettlementFile? {
        try self.transaction.record(fileByID, id.text)
    }

    func settlementFile(of account: AcquirerAccountID, digest: [UInt8]) throws -> SettlementFile? {
        try self.transaction.record(fileByDigest, account.text, digest)
    }

    func settlementFiles(
        of merchant: MerchantID?, before id: SettlementFileID?, limit: Int
    ) throws -> [SettlementFile] {
        let query = SettlementFile.select(of: merchant, before: id, limit: limit, parameters)
        return try self.transaction.all(query, table: SettlementFile.table.name) { try SettlementFile(&$0) }
    }

    func settlementItem(_ id: SettlementItem.ID) throws -> SettlementItem? {
        try self.transaction.record(itemByID, id.file.text, id.number)
    }

    func settlementItem(of account: AcquirerAccountID, identity: String) throws -> SettlementItem? {
        try self.transaction.record(itemByIdentity, account.text, identity)
    }

    func settlementItem(settling operation: OperationID) throws -> SettlementItem? {
        try self.transaction.record(itemByOperation, operation.text)
    }

    func settlementItems(_ query: SettlementQuery) throws -> [SettlementItem] {
        try self.transaction.all(query.page(parameters), table: SettlementItem.table.name) { try SettlementItem(&$0) }
    }

    func settlementJournal(of item: SettlementItem) throws -> [JournalEntry] {
        try SettlementPostingRow.journal(
            of: item, self.transaction.records(postingsQuery, item.id.file.text, item.id.number))
    }

    func settlementPostingsCount() throws -> Int {
        try self.transaction.all("SELECT COUNT(*) FROM settlement_postings", table: "settlement_postings") {
            try $0.count()
        }.first ?? 0
    }
}

extension PostgreSQLTransaction {
    func insert(_ file: SettlementFile) throws {
        try self.transaction.write { try self.transaction.execute(fileInsert, file.columnValues) }
    }

    func insert(_ item: SettlementItem, booking entry: JournalEntry?) throws {
        try self.transaction.write {
            try self.transaction.execute(itemInsert, item.columnValues)
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
            try self.transaction.execute(postingInsert, row.columnValues)
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
private let itemResolution = RequiredChange(SettlementItem.resolutionStatement(parameters))
private let postingsQuery = SettlementPostingRow.select(parameters)
private let postingInsert = SettlementPostingRow.table.insert(parameters)
