//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
public import Redaction
public import StoreRows

/// Copies a database's rows out, and in, over a connection of its own.
///
/// Both lock all tables against writes until they have ended: a node that was overlooked waits, and can neither change
/// what is read nor add to what is written.
public struct PostgreSQLCopier: CopyableStore {
    private let address: ServerAddress

    /// - Throws: ``StoreError/unavailable(_:)`` when the URL is malformed.
    public init(url: Redacted<String>) throws {
        self.address = try ServerAddress(url: url, settings: PostgreSQLSettings(), isReadOnly: false)
    }

    /// Looks for other connections of this program. Those that have just been closed are waited for, two seconds at the
    /// most.
    public func requireIdle() throws {
        let session = try CopySession(self.address)
        for attempt in 1...20 {
            let others = try session.rows(
                """
                SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    AND classid = \(ServerAddress.sessionLock.type) AND objid = \(ServerAddress.sessionLock.object)
                UNION SELECT pid FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'pomona'
                """)
            if others.isEmpty { return }
            if attempt < 20 { try session.run("SELECT pg_sleep(0.1)") }
        }
        throw StoreCopyError(
            .inUse, "Gateways or commands are connected to the database. Stop all nodes, then copy again.")
    }

    public func read<Value>(_ body: (any RowReader) throws -> Value) throws -> Value {
        let session = try CopySession(self.address)
        let rows = PostgreSQLRowCopy(session)
        // The lock comes before the first query, which decides what the transaction sees.
        let tables = try rows.schemaTables()
        try session.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE")
        try self.lock(tables, "SHARE", session)
        return try body(rows)
        // The transaction ends with the session.
    }

    public func fill<Value>(_ body: (any RowWriter) throws -> Value) throws -> Value {
        let session = try CopySession(self.address)
        let rows = PostgreSQLRowCopy(session)
        let tables = try rows.schemaTables()
        try session.run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
        try self.lock(tables, "SHARE ROW EXCLUSIVE", session)
        for table in tables where try rows.hasRows(table) {
            throw StoreCopyError(
                .notEmpty, "The target has rows already, in \(table). Copy into a database that is new or empty.")
        }
        let value = try body(rows)
        do {
            try session.run("COMMIT")
        } catch StoreError.unavailable(let reason) where session.isLost {
            throw StoreError.unavailable(
                "\(reason) while it committed, and all of the copy may be there or nothing; copy again, which is refused "
                    + "when it is there")
        }
        // For the planner's sake; autovacuum would do it in a while.
        try? session.run("ANALYZE")
        return value
    }

    private func lock(_ tables: [String], _ mode: String, _ session: CopySession) throws {
        guard !tables.isEmpty else { throw StoreError.unavailable("the database is no Pomona database; it is empty") }
        do {
            try session.run("LOCK TABLE \(tables.joined(separator: ", ")) IN \(mode) MODE")
        } catch let error as ServerError where error.sqlState == "55P03" {
            throw StoreCopyError(
                .inUse, "Somebody else is writing to the database. Stop all nodes, then copy again.")
        }
    }
}
