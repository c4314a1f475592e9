//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

extension PostgreSQLReading {
    func auditEntries(after number: Int64, limit: Int) throws -> [AuditEntry] {
        try self.transaction.all(
            "SELECT \(entryColumns) FROM audit_entries WHERE number > $1 ORDER BY number LIMIT $2", number,
            max(0, limit), table: "audit_entries"
        ) { try AuditEntry(&$0) }
    }

    func lastAuditEntry() throws -> AuditEntry? {
        // Entries are appended one after the other, by whichever node.
        try self.transaction.lockName("audit log", [])
        return try self.transaction.first(
            "SELECT \(entryColumns) FROM audit_entries ORDER BY number DESC LIMIT 1", table: "audit_entries"
        ) { try AuditEntry(&$0) }
    }
}

extension PostgreSQLTransaction {
    func append(_ entry: AuditEntry) throws {
        guard entry.follows(try self.lastAuditEntry()) else { throw StoreError.conflict }
        try self.transaction.write {
            try self.transaction.execute(
                "INSERT INTO audit_entries (\(entryColumns)) VALUES (\(parameters(8)))", entry.number,
                entry.at.milliseconds, entry.actor, entry.act.name, entry.subject, FieldsColumn.object(entry.details),
                entry.previousDigest, entry.digest)
        }
    }
}

private let entryColumns = "number, at, actor, act, subject, details, previous_digest, digest"

extension AuditEntry {
    fileprivate init(_ columns: inout PostgreSQLColumns) throws {
        let number = try columns.integer()
        let at = try columns.timestamp()
        let actor = try columns.text()
        let act = AuditAct(try columns.text())
        let subject = try columns.text()
        let details = try FieldsColumn.fields(try columns.text(), of: columns)
        self.init(
            number: number, at: at, actor: actor, act: act, subject: subject, details: details,
            previousDigest: try columns.bytes(), digest: try columns.bytes())
    }
}
