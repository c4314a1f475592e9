//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// Data keys, and what is sealed under them.
extension SQLiteReading {
    func dataKeys() throws -> [SealedDataKey] {
        try self.connection.records(SealedDataKey.all)
    }

    func sealingKeys(_ kind: SealedPlace.Kind) throws -> [String] {
        let table = SealedTable(kind)
        return try self.connection.all(RowStatement(table.keyIDs), table: table.name) { try $0.text() }
    }

    func sealedCount(under keyID: String, max: Int) throws -> Int {
        let query = SealedTable.count(under: keyID, max: max, parameters)
        return try self.connection.all(query, table: "data_keys") { try $0.count() }.first ?? 0
    }

    func sealedValues(
        _ kind: SealedPlace.Kind, under keyID: String, after place: SealedPlace?, limit: Int
    ) throws -> [SealedValue] {
        let table = SealedTable(kind)
        let query = table.values(under: keyID, after: place, limit: limit, parameters)
        return try self.connection.all(query, table: table.name) {
            SealedValue(place: try SealedPlace(kind, &$0), bytes: try $0.sealed())
        }
    }

    func storeSecret(_ name: String) throws -> SealedBytes? {
        try self.connection.first(secretQuery, name, table: "store_secrets") { try $0.sealed() }
    }
}

extension SQLiteTransaction {
    func insert(_ dataKey: SealedDataKey) throws {
        try self.connection.execute(dataKeyInsert, dataKey.columnValues)
    }

    func update(_ dataKey: SealedDataKey) throws {
        try self.connection.execute(dataKeyUpdate, dataKey.values(of: SealedDataKey.change.columns))
    }

    /// One body writes at a time: what is there stays there.
    func holdDataKey(_ id: String) throws {
        let found = try self.connection.first("SELECT id FROM data_keys WHERE id = ?", id, table: "data_keys") {
            try $0.text()
        }
        guard found != nil else { throw StoreError.dataKeyGone }
    }

    func deleteDataKey(_ id: String) throws -> Bool {
        try self.connection.execute(
            "DELETE FROM data_keys WHERE id = \(parameters(1)) AND \(SealedTable.nothingIsSealed(parameters))", id)
        return try self.dataKeys().allSatisfy { $0.id != id }
    }

    func reseal(_ value: SealedValue, as bytes: SealedBytes) throws -> Bool {
        let statement = SealedTable.reseal(value, as: bytes, parameters)
        return try self.connection.execute(statement.sql, statement.arguments) == 1
    }

    func insertStoreSecret(_ name: String, _ bytes: SealedBytes) throws {
        try self.connection.execute(
            secretInsert, name, bytes.keyID, bytes.box)
    }
}

private let dataKeyInsert = SealedDataKey.table.insert(parameters)
private let dataKeyUpdate = SealedDataKey.change.statement(parameters)
private let secretQuery = StoreSecretRow.select(parameters)
private let secretInsert = StoreSecretRow.insert(parameters)
