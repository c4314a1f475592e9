//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension PostgreSQLReading {
    func keptItem(_ name: KeptItemName) throws -> KeptItem? {
        try self.transaction.lock(name)
        let lock = self.transaction.isWriting ? " FOR UPDATE" : ""
        return try self.transaction.first(
            """
            SELECT \(KeptItem.columnNames) FROM kept_items
            WHERE merchant_id = $1 AND dialect = $2 AND kind = $3 AND id = $4\(lock)
            """, name.merchantID.text, name.dialect.text, name.kind, name.id, table: "kept_items"
        ) { try KeptItem(name, &$0) }
    }
}

extension PostgreSQLTransaction {
    func upsert(_ item: KeptItem) throws {
        try self.transaction.lock(item.name)
        try self.transaction.write {
            try self.transaction.execute(
                """
                INSERT INTO kept_items (merchant_id, dialect, kind, id, \(KeptItem.columnNames))
                VALUES (\(parameters(9)))
                ON CONFLICT (merchant_id, dialect, kind, id) DO UPDATE SET key_id = excluded.key_id, box = excluded.box,
                    version = excluded.version, created_at = excluded.created_at, expires_at = excluded.expires_at
                """, item.columnValues)
        }
    }

    func delete(_ name: KeptItemName) throws {
        try self.transaction.lock(name)
        try self.transaction.write {
            try self.transaction.execute(
                "DELETE FROM kept_items WHERE merchant_id = $1 AND dialect = $2 AND kind = $3 AND id = $4",
                name.merchantID.text, name.dialect.text, name.kind, name.id)
        }
    }

    /// An item that somebody holds is left for the next sweep, and nodes that sweep at the same time pass each other.
    func deleteKeptItems(expiredBy now: Timestamp) throws {
        try self.transaction.write {
            try self.transaction.execute(
                """
                DELETE FROM kept_items WHERE (merchant_id, dialect, kind, id) IN (
                    SELECT merchant_id, dialect, kind, id FROM kept_items WHERE expires_at <= $1
                    FOR UPDATE SKIP LOCKED)
                """, now.milliseconds)
        }
    }
}

extension Transaction {
    fileprivate func lock(_ name: KeptItemName) throws {
        try self.lockName("kept item", [name.merchantID.text, name.dialect.text, name.kind, name.id])
    }
}
