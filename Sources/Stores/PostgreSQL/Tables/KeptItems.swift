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
        let query = self.transaction.isWriting ? itemQueryLocking : itemQuery
        return try self.transaction.rows(query, name.keyValues, of: [name.subject])?.all("kept_items") {
            try KeptItem(&$0)
        }.first
    }
}

extension PostgreSQLTransaction {
    func upsert(_ item: KeptItem) throws {
        try self.transaction.lock(item.name)
        try self.transaction.write {
            try self.transaction.put(
                .keptItem, item.columnValues, key: item.name.subject, of: [item.name.subject])
        }
    }

    func delete(_ name: KeptItemName) throws {
        try self.transaction.lock(name)
        try self.transaction.write {
            try self.transaction.put(.keptItemEnd, name.keyValues, key: name.subject, of: [name.subject])
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

extension KeptItemName {
    /// By what its gathered rows are found (``GatheredRows``).
    fileprivate var subject: String {
        [self.merchantID.text, self.dialect.text, self.kind, self.id].joined(separator: "\u{1F}")
    }
}

extension Transaction {
    fileprivate func lock(_ name: KeptItemName) throws {
        try self.lockName("kept item", [name.merchantID.text, name.dialect.text, name.kind, name.id])
    }
}

private let itemQuery = KeptItem.table.select(by: .merchantID, .dialect, .kind, .id, with: parameters)
private let itemQueryLocking = itemQuery + " FOR UPDATE"
