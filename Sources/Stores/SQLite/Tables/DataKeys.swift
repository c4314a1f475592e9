//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// Data keys, and what is sealed under them.
extension SQLiteReading {
    func dataKeys() throws -> [SealedDataKey] {
        try self.connection.records("SELECT \(SealedDataKey.table.names) FROM data_keys ORDER BY created_at, id")
    }

    func sealedCounts() throws -> [String: Int] {
        let counts = try self.connection.all(
            "SELECT key_id, COUNT(*) FROM (\(SealedTable.keyIDs)) GROUP BY key_id",
            table: "data_keys"
        ) { (try $0.text(), try $0.count()) }
        return Dictionary(counts, uniquingKeysWith: +)
    }

    func sealedValues(
        _ kind: SealedPlace.Kind, notUnder keyID: String, after place: SealedPlace?, limit: Int
    ) throws -> [SealedValue] {
        let table = SealedTable(kind)
        let columns = table.keyColumns.joined(separator: ", ")
        var arguments: RowArguments = [keyID]
        var condition = "key_id <> ?"
        if let place {
            condition += " AND (\(columns)) > (\(table.keyColumns.map { _ in "?" }.joined(separator: ", ")))"
            arguments += place.keyValues
        }
        return try self.connection.all(
            "SELECT \(columns), key_id, box FROM \(table.name) WHERE \(condition) ORDER BY \(columns) LIMIT ?",
            arguments: arguments + [max(0, limit)], table: table.name
        ) { SealedValue(place: try SealedPlace(kind, &$0), bytes: try $0.sealed()) }
    }

    func storeSecret(_ name: String) throws -> SealedBytes? {
        try self.connection.first(
            "SELECT key_id, box FROM store_secrets WHERE name = ?", name, table: "store_secrets"
        ) { try $0.sealed() }
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
            "DELETE FROM data_keys WHERE id = ? AND \(SealedTable.nothingIsSealed)", id)
        return try self.dataKeys().allSatisfy { $0.id != id }
    }

    func reseal(_ value: SealedValue, as bytes: SealedBytes) throws -> Bool {
        let table = SealedTable(value.place.kind)
        let condition = table.keyColumns.map { "\($0) = ?" }.joined(separator: " AND ")
        let arguments: RowArguments =
            [bytes.keyID, bytes.box] + value.place.keyValues + [value.bytes.keyID, value.bytes.box]
        return try self.connection.execute(
            "UPDATE \(table.name) SET key_id = ?, box = ? WHERE \(condition) AND key_id = ? AND box = ?", arguments)
            == 1
    }

    func insertStoreSecret(_ name: String, _ bytes: SealedBytes) throws {
        try self.connection.execute(
            "INSERT INTO store_secrets (name, key_id, box) VALUES (?, ?, ?)", name, bytes.keyID, bytes.box)
    }
}

private let dataKeyInsert = SealedDataKey.table.insert(parameters)
private let dataKeyUpdate = SealedDataKey.change.statement(parameters)
