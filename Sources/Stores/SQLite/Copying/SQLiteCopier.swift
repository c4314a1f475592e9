//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import Payments
public import StoreRows

/// Copies a database file's rows out, and in.
///
/// Both take the file's lock, which a gateway holds, and one transaction that lets no other write. The commands that an
/// operator runs beside a gateway wait for it.
public struct SQLiteCopier: CopyableStore {
    private let path: String

    public init(path: String) {
        self.path = path
    }

    public func requireIdle() throws {
        try DatabaseFile.requireFile(self.path)
        _ = try self.lock()
    }

    public func read<Value>(_ body: (any RowReader) throws -> Value) throws -> Value {
        try self.withTransaction { database in
            let value = try body(SQLiteRows(database))
            try database.rollback()
            return value
        }
    }

    /// The rows go straight into the file, and a journal keeps what was there before, which is next to nothing
    /// (sqlite.org/atomiccommit.html). In a write-ahead log one transaction of all rows would take the room of the whole store
    /// a second time, and be written twice. A process that ends before the commit leaves the journal, by which whoever opens
    /// the file next makes it what it was.
    public func fill<Value>(_ body: (any RowWriter) throws -> Value) throws -> Value {
        try self.withTransaction(withoutLog: true) { database in
            let rows = SQLiteRows(database)
            for table in try rows.tables() where try rows.hasRows(table) {
                throw StoreCopyError(
                    .notEmpty,
                    "The target has rows already, in \(table.name). Copy into a store that is new or empty.")
            }
            let value = try body(rows)
            try database.commit()
            return value
        }
    }

    private func lock() throws -> FileLock {
        do {
            return try FileLock(path: self.path + ".lock")
        } catch {
            throw StoreCopyError(
                .inUse, "The database file cannot be taken: \(error). A gateway on it must be stopped.")
        }
    }

    /// - Parameter withoutLog: whether the write-ahead log is done without meanwhile. That wants the file for this connection
    ///   alone; where somebody else has it open, it is written by way of the log.
    private func withTransaction<Value>(
        withoutLog: Bool = false, _ body: (Database) throws -> Value
    ) throws -> Value {
        let lock = try self.lock()
        defer { withExtendedLifetime(lock) {} }
        do {
            try DatabaseFile.requireFile(self.path)
            var configuration = DatabaseFile.configuration(isReadOnly: false)
            // While tables refer to each other, each row that comes before the one it refers to would have SQLite search
            // whole tables for those that wait (sqlite.org/foreignkeys.html, section 3). They are checked at the end.
            configuration.foreignKeysEnabled = false
            let queue = try DatabaseQueue(path: self.path, configuration: configuration)
            let value = try queue.writeWithoutTransaction { database in
                try DatabaseFile.checkOwner(database, migrator: makeMigrator(), isReadOnly: true)
                // What `VACUUM INTO` has written, a backup, has no log yet.
                try database.execute(sql: "PRAGMA journal_mode = WAL")
                try DatabaseFile.prepareWriter(database)
                if withoutLog { try? database.execute(sql: "PRAGMA journal_mode = TRUNCATE") }
                // Who opens the file as a store would do the same.
                defer { if withoutLog { try? database.execute(sql: "PRAGMA journal_mode = WAL") } }
                try database.beginTransaction(.immediate)
                do {
                    return try body(database)
                } catch {
                    if database.isInsideTransaction { try? database.rollback() }
                    throw error
                }
            }
            try queue.close()
            return value
        } catch let error as DatabaseError {
            throw StoreError(error)
        }
    }
}
