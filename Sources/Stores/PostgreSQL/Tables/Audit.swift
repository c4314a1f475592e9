//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension PostgreSQLReading {
    func auditEntries(after number: Int64, limit: Int) throws -> [AuditEntry] {
        try self.transaction.records(entriesQuery, number, max(0, limit))
    }

    func lastAuditEntry() throws -> AuditEntry? {
        // Entries are appended one after the other, by whichever node.
        try self.transaction.lockName("audit log", [])
        return try self.transaction.record(AuditEntry.last)
    }
}

extension PostgreSQLTransaction {
    func append(_ entry: AuditEntry) throws {
        guard entry.follows(try self.lastAuditEntry()) else { throw StoreError.conflict }
        try self.transaction.write { try self.transaction.execute(entryInsert, entry.columnValues) }
    }
}

private let entryInsert = AuditEntry.table.insert(parameters)
private let entriesQuery = AuditEntry.select(parameters)
