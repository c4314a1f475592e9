//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension SQLiteReading {
    func keptItem(_ name: KeptItemName) throws -> KeptItem? {
        try self.connection.first(itemQuery, name.keyValues, table: "kept_items") { try KeptItem(&$0) }
    }
}

extension SQLiteTransaction {
    func upsert(_ item: KeptItem) throws {
        try self.connection.execute(itemUpsert, item.columnValues)
    }

    func delete(_ name: KeptItemName) throws {
        try self.connection.execute(itemDelete, name.keyValues)
    }

    func deleteKeptItems(expiredBy now: Timestamp) throws {
        try self.connection.execute("DELETE FROM kept_items WHERE expires_at <= ?", now.milliseconds)
    }
}

private let itemQuery = KeptItem.table.select(by: .merchantID, .dialect, .kind, .id, with: parameters)
private let itemUpsert = KeptItem.table.upsert(parameters)
private let itemDelete = KeptItem.table.delete(parameters)
