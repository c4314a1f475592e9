//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// Data keys, and what is sealed under them.
extension PostgreSQLReading {
    func dataKeys() throws -> [SealedDataKey] {
        // Also a key that is not there yet must not be made by two at once.
        if self.transaction.isWriting {
            try self.transaction.sendLock("LOCK TABLE data_keys IN SHARE ROW EXCLUSIVE MODE", [])
        }
        return try self.transaction.records(SealedDataKey.all)
    }

    func sealingKeys(_ kind: SealedPlace.Kind) throws -> [String] {
        let table = SealedTable(kind)
        return try self.transaction.all(RowStatement(table.keyIDs), table: table.name) { try $0.text() }
    }

    func sealedCount(under keyID: String, max: Int) throws -> Int {
        let query = SealedTable.count(under: keyID, max: max, parameters)
        return try self.transaction.all(query, table: "data_keys") { try $0.count() }.first ?? 0
    }

    func sealedValues(
        _ kind: SealedPlace.Kind, under keyID: String, after place: SealedPlace?, limit: Int
    ) throws -> [SealedValue] {
        let table = SealedTable(kind)
        let query = table.values(under: keyID, after: place, limit: limit, parameters)
        return try self.transaction.all(query, table: table.name) {
            SealedValue(place: try SealedPlace(kind, &$0), bytes: try $0.sealed())
        }
    }

    func storeSecret(_ name: String) throws -> SealedBytes? {
        try self.transaction.first(secretQuery, name, table: "store_secrets") { try $0.sealed() }
    }
}

extension PostgreSQLTransaction {
    func insert(_ dataKey: SealedDataKey) throws {
        try self.transaction.write { try self.transaction.execute(dataKeyInsert, dataKey.columnValues) }
    }

    func update(_ dataKey: SealedDataKey) throws {
        try self.transaction.write {
            try self.transaction.execute(dataKeyUpdate, dataKey.values(of: SealedDataKey.change.columns))
        }
    }

    /// A key's row is locked as a foreign key's check would lock it: any number may hold it, and nobody delete it. A row
    /// that is gone is a division by zero, so that nothing sent after this is executed.
    func holdDataKey(_ id: String) throws {
        try self.transaction.write {
            try self.transaction.execute(
                "SELECT 1 / count(*) FROM (SELECT FROM data_keys WHERE id = $1 FOR KEY SHARE) AS held", [id],
                orElse: .dataKeyGone, isAlone: true)
        }
    }

    /// The lock comes first, so that the deletion sees what the last holder has committed.
    func deleteDataKey(_ id: String) throws -> Bool {
        try self.transaction.sendLock("SELECT FROM data_keys WHERE id = $1 FOR UPDATE", [id])
        _ = try self.transaction.rowsOfWrite(
            "DELETE FROM data_keys WHERE id = $1 AND \(SealedTable.nothingIsSealed(parameters)) RETURNING id", [id])
        let left = try self.transaction.first("SELECT id FROM data_keys WHERE id = $1", id, table: "data_keys") {
            try $0.text()
        }
        return left == nil
    }

    func reseal(_ value: SealedValue, as bytes: SealedBytes) throws -> Bool {
        try self.lock(value.place)
        let statement = SealedTable.reseal(value, as: bytes, parameters)
        let rows = try self.transaction.rowsOfWrite(statement.sql + " RETURNING key_id", statement.arguments)
        return rows?.count == 1
    }

    /// Whoever reads an account in order to write it whole must find it as it is when he writes.
    private func lock(_ place: SealedPlace) throws {
        switch place {
        case .accountSecret(let merchant, let dialect, _):
            try self.transaction.sendLock(
                "SELECT FROM accounts WHERE dialect = $1 AND merchant_id = $2 FOR NO KEY UPDATE",
                [dialect.text, merchant.text])
        case .acquirerSecret(let account, _): try self.transaction.lock(account)
        case .secondFactor(let person): try self.transaction.lock(person)
        case .appleCredential(let merchant, _): try self.transaction.lock(merchant)
        case .keptItem, .acquirerMemo, .approvalContent, .storeSecret: return
        }
    }

    func insertStoreSecret(_ name: String, _ bytes: SealedBytes) throws {
        try self.transaction.write {
            try self.transaction.execute(
                secretInsert, name, bytes.keyID, bytes.box)
        }
    }
}

private let dataKeyInsert = SealedDataKey.table.insert(parameters)
private let dataKeyUpdate = SealedDataKey.change.statement(parameters)
private let secretQuery = StoreSecretRow.select(parameters)
private let secretInsert = StoreSecretRow.insert(parameters)
