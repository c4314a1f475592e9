//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import Payments
import SQLiteLog

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The file and its companions on disk, and how connections to it are set up.
enum DatabaseFile {
    /// How many connections read at the same time.
    static let readersMax = 4

    /// How many pages the log may have before it is emptied.
    static let logPagesMax = 4000

    /// Makes the file if there is none, and sees to it that nobody but its owner reads it. SQLite gives the write-ahead
    /// log the same permissions as the file.
    static func prepare(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
            return
        }
        guard errno == EEXIST, chmod(path, 0o600) == 0 else {
            throw .unavailable(
                "the database file cannot be made; check that its directory exists and who owns the file")
        }
        for suffix in ["-wal", "-shm"] { _ = chmod(path + suffix, 0o600) }
    }

    /// Whether there is anything at a path, also what may not be read.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 || errno != ENOENT
    }

    /// Refuses a path at which there is nothing: opening it would make a new file.
    static func requireFile(_ path: String) throws(StoreError) {
        guard access(path, R_OK | W_OK) == 0 else {
            throw .unavailable("there is no database file that may be written")
        }
    }

    /// Whether a file could not be read because of what SQLite makes beside it (sqlite.org/wal.html, section 5): without a log
    /// it reports `SQLITE_READONLY_DIRECTORY` then, with one and without its index `SQLITE_CANTOPEN`.
    static func lacksCompanions(_ path: String, _ error: DatabaseError) -> Bool {
        (error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY) && access(path, R_OK) == 0
    }

    static func configuration(isReadOnly: Bool) -> Configuration {
        CheckpointedLog.setUpSQLite()
        var configuration = Configuration()
        configuration.readonly = isReadOnly
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = self.readersMax
        configuration.persistentReadOnlyConnections = true
        // A transaction that could not be rolled back is dealt with by the writer, not by a trap.
        configuration.allowsUnsafeTransactions = true
        configuration.label = "pomona.store"
        configuration.prepareDatabase { database in
            // What savepoints keep stays in memory (sqlite.org/tempfiles.html, section 2.3).
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // In KiB. The operating system keeps the file's pages too: four times as many here are no quicker.
            try database.execute(sql: "PRAGMA cache_size = \(database.configuration.readonly ? -2_000 : -8_000)")
        }
        return configuration
    }

    /// Settings of the one connection that writes. GRDB sets `synchronous` to NORMAL for WAL files, with which a power
    /// failure may undo commits; FULL syncs the log at every commit (sqlite.org/pragma.html#pragma_synchronous).
    static func prepareWriter(_ database: Database) throws {
        try database.execute(sql: "PRAGMA synchronous = FULL")
        try database.execute(sql: "PRAGMA wal_autocheckpoint = \(self.logPagesMax)")
        try database.execute(sql: "PRAGMA journal_size_limit = 67108864")
        let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous")
        let journalMode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
        guard synchronous == 2, journalMode == "wal" else {
            throw StoreError.unavailable("its file system does not allow write-ahead logging; keep it on a local disk")
        }
    }

    /// Refuses what is another program's file, or a later version's.
    /// - Parameter takesEmpty: whether a file without anything in it may become one of ours.
    static func checkOwner(_ database: Database, migrator: DatabaseMigrator, takesEmpty: Bool = false) throws {
        let id = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let isEmpty = try self.isEmpty(database)
        guard id == pomonaApplicationID || (isEmpty && takesEmpty) else {
            throw StoreError.unavailable("the file is no Pomona database")
        }
        guard try isEmpty || !migrator.hasBeenSuperseded(database) else {
            throw StoreError.unavailable("a later version of this program has written it; use that version")
        }
    }

    /// Whether nothing is in a file, or only what the making of the tables begins with: its list of steps, which comes with
    /// a commit of its own and before the first of them. A process that was ended in between has left that.
    private static func isEmpty(_ database: Database) throws -> Bool {
        let others = "SELECT COUNT(*) FROM sqlite_schema WHERE tbl_name <> '\(self.stepsTable)'"
        guard try Int.fetchOne(database, sql: others) == 0 else { return false }
        guard try database.tableExists(self.stepsTable) else { return true }
        return try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(self.stepsTable)") == 0
    }

    /// Where GRDB writes down which steps have been taken.
    private static let stepsTable = "grdb_migrations"

    /// Whether a gateway has begun on a file: only with its first data key can anything be in there that is missed.
    /// - Throws: ``StoreError/unavailable(_:)`` for another program's file, or a later version's.
    static func isBegun(_ database: Database, migrator: DatabaseMigrator) throws -> Bool {
        try self.checkOwner(database, migrator: migrator, takesEmpty: true)
        guard try database.tableExists("data_keys") else { return false }
        return try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM data_keys)") ?? false
    }

    /// The same, for a connection that takes the tables as they are.
    static func checkOwner(_ database: Database, migrator: DatabaseMigrator, isReadOnly: Bool) throws {
        try self.checkOwner(database, migrator: migrator, takesEmpty: !isReadOnly)
        if isReadOnly, try !migrator.hasCompletedMigrations(database) {
            throw StoreError.unavailable(
                "an earlier version of this program has written it; bring it up to date with pomona store migrate, or by "
                    + "starting the gateway once")
        }
    }
}
