//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension SQLiteReading {
    func auditEntries(after number: Int64, limit: Int) throws -> [AuditEntry] {
        try self.connection.records(entriesQuery, number, max(0, limit))
    }

    func lastAuditEntry() throws -> AuditEntry? {
        try self.connection.record(AuditEntry.last)
    }
}

extension SQLiteTransaction {
    func append(_ entry: AuditEntry) throws {
        guard entry.follows(try self.lastAuditEntry()) else { throw StoreError.conflict }
        try self.connection.execute(entryInsert, entry.columnValues)
    }
}

private let entryInsert = AuditEntry.table.insert(parameters)
private let entriesQuery = AuditEntry.select(parameters)
