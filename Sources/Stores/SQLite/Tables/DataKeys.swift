//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

/// Data keys, and what is sealed under them.
extension SQLiteReading {
    func dataKeys() throws -> [SealedDataKey] {
        try self.connection.all("SELECT id, box, created_at FROM data_keys ORDER BY created_at, id", table: "data_keys")
        {
            SealedDataKey(id: try $0.text(), box: try $0.bytes(), createdAt: try $0.timestamp())
        }
    }

    func sealedCounts() throws -> [String: Int] {
        let tables = SealedPlace.Kind.allCases.map { "SELECT key_id FROM \(SealedTable($0).name)" }
        let counts = try self.connection.all(
            "SELECT key_id, COUNT(*) FROM (\(tables.joined(separator: " UNION ALL "))) GROUP BY key_id",
            table: "data_keys"
        ) { (try $0.text(), try $0.count()) }
        return Dictionary(counts, uniquingKeysWith: +)
    }

    func sealedValues(
        _ kind: SealedPlace.Kind, notUnder keyID: String, after place: SealedPlace?, limit: Int
    ) throws -> [SealedValue] {
        let table = SealedTable(kind)
        let columns = table.keyColumns.joined(separator: ", ")
        var arguments: [(any SQLiteArgument)?] = [keyID]
        var condition = "key_id <> ?"
        if let place {
            condition += " AND (\(columns)) > (\(table.keyColumns.map { _ in "?" }.joined(separator: ", ")))"
            arguments += SealedTable.key(of: place)
        }
        return try self.connection.all(
            "SELECT \(columns), key_id, box FROM \(table.name) WHERE \(condition) ORDER BY \(columns) LIMIT ?",
            arguments: arguments + [max(0, limit)], table: table.name
        ) { SealedValue(place: try SealedTable.place(kind, &$0), bytes: try $0.sealed()) }
    }

    func storeSecret(_ name: String) throws -> SealedBytes? {
        try self.connection.first(
            "SELECT key_id, box FROM store_secrets WHERE name = ?", name, table: "store_secrets"
        ) { try $0.sealed() }
    }
}

extension SQLiteTransaction {
    func insert(_ dataKey: SealedDataKey) throws {
        try self.connection.execute(
            "INSERT INTO data_keys (id, box, created_at) VALUES (?, ?, ?)", dataKey.id, dataKey.box,
            dataKey.createdAt.milliseconds)
    }

    func update(_ dataKey: SealedDataKey) throws {
        try self.connection.execute("UPDATE data_keys SET box = ? WHERE id = ?", dataKey.box, dataKey.id)
    }

    /// One body writes at a time: what is there stays there.
    func holdDataKey(_ id: String) throws {
        let found = try self.connection.first("SELECT id FROM data_keys WHERE id = ?", id, table: "data_keys") {
            try $0.text()
        }
        guard found != nil else { throw StoreError.dataKeyGone }
    }

    func deleteDataKey(_ id: String) throws -> Bool {
        let isUnused = SealedPlace.Kind.allCases.map {
            "NOT EXISTS (SELECT 1 FROM \(SealedTable($0).name) WHERE key_id = data_keys.id)"
        }
        try self.connection.execute(
            "DELETE FROM data_keys WHERE id = ? AND \(isUnused.joined(separator: " AND "))", id)
        return try self.dataKeys().allSatisfy { $0.id != id }
    }

    func reseal(_ value: SealedValue, as bytes: SealedBytes) throws -> Bool {
        let table = SealedTable(value.place.kind)
        let condition = table.keyColumns.map { "\($0) = ?" }.joined(separator: " AND ")
        let arguments: [(any SQLiteArgument)?] =
            [bytes.keyID, bytes.box] + SealedTable.key(of: value.place) + [value.bytes.keyID, value.bytes.box]
        return try self.connection.execute(
            "UPDATE \(table.name) SET key_id = ?, box = ? WHERE \(condition) AND key_id = ? AND box = ?", arguments)
            == 1
    }

    func insertStoreSecret(_ name: String, _ bytes: SealedBytes) throws {
        try self.connection.execute(
            "INSERT INTO store_secrets (name, key_id, box) VALUES (?, ?, ?)", name, bytes.keyID, bytes.box)
    }
}

/// A table that has a sealed value in each row, in the columns `key_id` and `box`.
private struct SealedTable {
    let name: String
    /// Its primary key.
    let keyColumns: [String]

    init(_ kind: SealedPlace.Kind) {
        switch kind {
        case .accountSecret: (self.name, self.keyColumns) = ("account_secrets", ["dialect", "merchant_id", "name"])
        case .appleCredential: (self.name, self.keyColumns) = ("apple_credentials", ["merchant_id", "id"])
        case .keptItem: (self.name, self.keyColumns) = ("kept_items", ["merchant_id", "dialect", "kind", "id"])
        case .storeSecret: (self.name, self.keyColumns) = ("store_secrets", ["name"])
        }
    }

    static func key(of place: SealedPlace) -> [(any SQLiteArgument)?] {
        switch place {
        case .accountSecret(let merchant, let dialect, let name): [dialect.text, merchant.text, name]
        case .appleCredential(let merchant, let id): [merchant.text, id]
        case .keptItem(let name): [name.merchantID.text, name.dialect.text, name.kind, name.id]
        case .storeSecret(let name): [name]
        }
    }

    static func place(_ kind: SealedPlace.Kind, _ columns: inout SQLiteColumns) throws -> SealedPlace {
        switch kind {
        case .accountSecret:
            let dialect = DialectName(try columns.name())
            return .accountSecret(try columns.id(), dialect, name: try columns.text())
        case .appleCredential: return .appleCredential(try columns.id(), id: try columns.text())
        case .keptItem:
            return .keptItem(
                KeptItemName(
                    merchantID: try columns.id(), dialect: DialectName(try columns.name()), kind: try columns.text(),
                    id: try columns.text()))
        case .storeSecret: return .storeSecret(name: try columns.text())
        }
    }
}
