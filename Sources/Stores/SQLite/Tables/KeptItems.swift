//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension SQLiteReading {
    func keptItem(_ name: KeptItemName) throws -> KeptItem? {
        try self.connection.first(
            """
            SELECT \(KeptItem.columnNames) FROM kept_items
            WHERE merchant_id = ? AND dialect = ? AND kind = ? AND id = ?
            """, name.merchantID.text, name.dialect.text, name.kind, name.id, table: "kept_items"
        ) { try KeptItem(name, &$0) }
    }
}

extension SQLiteTransaction {
    func upsert(_ item: KeptItem) throws {
        try self.connection.execute(
            """
            INSERT INTO kept_items (merchant_id, dialect, kind, id, \(KeptItem.columnNames))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (merchant_id, dialect, kind, id) DO UPDATE SET key_id = excluded.key_id, box = excluded.box,
                version = excluded.version, created_at = excluded.created_at, expires_at = excluded.expires_at
            """, item.columnValues)
    }

    func delete(_ name: KeptItemName) throws {
        try self.connection.execute(
            "DELETE FROM kept_items WHERE merchant_id = ? AND dialect = ? AND kind = ? AND id = ?",
            name.merchantID.text, name.dialect.text, name.kind, name.id)
    }

    func deleteKeptItems(expiredBy now: Timestamp) throws {
        try self.connection.execute("DELETE FROM kept_items WHERE expires_at <= ?", now.milliseconds)
    }
}
