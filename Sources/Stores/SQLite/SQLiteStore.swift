//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import GRDB
public import Payments
import SQLiteLog

/// Payments in one SQLite file, which one process writes.
///
/// A commit is durable when it returns: write-ahead log, `synchronous = FULL`. Writes run on a thread of their own,
/// which commits those that wait together; reads run beside them, each on the state of its beginning. Neither ever
/// blocks a thread of the cooperative pool.
///
/// Beside the file lie `-wal` and `-shm` (SQLite's log and its index) and `.lock` (who may write). All are for their
/// owner only (0600).
public final class SQLiteStore: PaymentStore {
    private let pool: DatabasePool
    private let gate = Gate()
    /// `nil` when the store is for reading only.
    private let writer: Writer?
    /// Held until the store is closed or gone.
    private let lock: FileLockHolder
    /// `nil` when another process owns the file, and so empties its log.
    private let log: CheckpointedLog?

    private init(pool: DatabasePool, log: CheckpointedLog? = nil, lock: FileLock?, isReadOnly: Bool) {
        self.pool = pool
        self.log = log
        self.lock = FileLockHolder(lock)
        self.writer = isReadOnly ? nil : Writer(pool: pool, log: log)
        self.writer?.start()
    }

    deinit {
        self.writer?.stop()
    }

    /// Opens a file for reading and writing, makes it when there is none, and brings an older one up to date.
    /// - Throws: ``StoreError/unavailable(_:)`` when another process has it open for writing, or it cannot be opened.
    public static func open(path: String) throws -> SQLiteStore {
        try self.mapped {
            let lock = try FileLock(path: path + ".lock")
            try DatabaseFile.prepare(path)
            let pool = try DatabasePool(path: path, configuration: DatabaseFile.configuration(isReadOnly: false))
            let migrator = makeMigrator()
            try pool.writeWithoutTransaction { database in
                try DatabaseFile.checkOwner(database, migrator: migrator, isReadOnly: false)
                try DatabaseFile.prepareWriter(database)
            }
            try bringUpToDate(pool, migrator)
            let log = try pool.writeWithoutTransaction { database in
                try CheckpointedLog(path: path, framesMax: DatabaseFile.logPagesMax, writer: database)
            }
            return SQLiteStore(pool: pool, log: log, lock: lock, isReadOnly: false)
        }
    }

    /// Opens a file for writing beside the process that owns it: for an operator's commands, which write little and
    /// seldom.
    ///
    /// SQLite lets one of them write at a time, and each waits for the other. Nothing is made or brought up to date,
    /// and what belongs to the owner alone, recovery above all, is none of this process's business.
    /// - Throws: ``StoreError/unavailable(_:)`` when there is no such file, it is none of ours, or it is of another
    ///   version.
    public static func openBeside(path: String) throws -> SQLiteStore {
        try self.mapped {
            try DatabaseFile.requireFile(path)
            let pool = try DatabasePool(path: path, configuration: DatabaseFile.configuration(isReadOnly: false))
            let migrator = makeMigrator()
            try pool.writeWithoutTransaction { database in
                try DatabaseFile.checkOwner(database, migrator: migrator, isReadOnly: true)
                try DatabaseFile.prepareWriter(database)
            }
            return SQLiteStore(pool: pool, lock: nil, isReadOnly: false)
        }
    }

    /// Opens a file for reading only, whether or not another process writes it at the same time.
    /// - Throws: ``StoreError/unavailable(_:)`` when there is no such file, it is none of ours, or what SQLite needs beside it is
    ///   not there and cannot be made.
    public static func openReadOnly(path: String) throws -> SQLiteStore {
        try self.mapped(reading: path) {
            let pool = try DatabasePool(path: path, configuration: DatabaseFile.configuration(isReadOnly: true))
            let migrator = makeMigrator()
            try pool.read { database in
                try DatabaseFile.checkOwner(database, migrator: migrator, isReadOnly: true)
            }
            return SQLiteStore(pool: pool, lock: nil, isReadOnly: true)
        }
    }

    /// Whether a gateway has begun on a file. One that is not there, is empty, or was left in the middle of its making has
    /// nothing in it that could be lost. Nothing is changed.
    /// - Throws: ``StoreError/unavailable(_:)`` when it is none of ours, a later version's, or cannot be read.
    public static func isBegun(path: String) throws -> Bool {
        guard DatabaseFile.exists(path) else { return false }
        return try self.mapped(reading: path) {
            let queue = try DatabaseQueue(path: path, configuration: DatabaseFile.configuration(isReadOnly: true))
            defer { try? queue.close() }
            return try queue.read { try DatabaseFile.isBegun($0, migrator: makeMigrator()) }
        }
    }

    /// What ``open(path:)`` would do to a file's tables, in order. Nothing is changed.
    /// - Throws: ``StoreError/unavailable(_:)`` when there is no such file, it is none of ours, or a later version's.
    public static func missingSteps(path: String) throws -> [String] {
        try self.mapped(reading: path) {
            let queue = try DatabaseQueue(path: path, configuration: DatabaseFile.configuration(isReadOnly: true))
            defer { try? queue.close() }
            let migrator = makeMigrator()
            return try queue.read { database in
                try DatabaseFile.checkOwner(database, migrator: migrator)
                let taken = try migrator.appliedIdentifiers(database)
                return migrator.migrations.filter { !taken.contains($0) }
            }
        }
    }

    /// Lets what is under way end, refuses what comes after with ``StoreError/unavailable(_:)``, empties the
    /// write-ahead log into the file and closes it. Closing again does nothing.
    public func close() async throws {
        guard await self.gate.shut() else { return }
        self.writer?.stop()
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try Self.mapped {
                            // SQLite empties the log itself only if the last connection to close may write.
                            if let log = self.log {
                                try self.pool.writeWithoutTransaction { database in
                                    try log.close(database)
                                    _ = try database.checkpoint(.truncate)
                                }
                            }
                            try self.pool.close()
                        }
                    })
            }
        }
        self.lock.release()
    }

    /// Runs a body and commits it together with others that wait. Once handed in, a body is run and committed even if
    /// the caller's task is cancelled.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        guard let writer = self.writer else { throw StoreError.unavailable("the store is open for reading only") }
        guard self.gate.enter() else { throw StoreError.unavailable("the store is closed") }
        defer { self.gate.leave() }
        return try await withCheckedThrowingContinuation { continuation in
            if let refusal = writer.submit(PendingWrite(body, continuation)) { continuation.resume(throwing: refusal) }
        }
    }

    /// Runs a body on the state of its beginning, beside the writer.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        guard self.gate.enter() else { throw StoreError.unavailable("the store is closed") }
        defer { self.gate.leave() }
        return try await withCheckedThrowingContinuation { continuation in
            self.pool.asyncRead { database in
                continuation.resume(
                    with: Result {
                        try Self.mapped { try body(SQLiteReader(connection: SQLiteConnection(database.get()))) }
                    })
            }
        }
    }

    /// The writer's journal mode, synchronous, foreign keys and busy timeout as SQLite has them.
    func settings() throws -> [String] {
        try self.pool.writeWithoutTransaction { database in
            try ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"].map {
                try String.fetchOne(database, sql: "PRAGMA \($0)") ?? ""
            }
        }
    }

    /// Bounds the file, as a full disk would; for tests.
    func limitPages(to count: Int?) throws {
        try self.pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA max_page_count = \(count ?? 1_073_741_823)")
        }
    }

    private static func mapped<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as DatabaseError {
            throw StoreError(error)
        }
    }

    /// The same of a file that is opened for reading only.
    private static func mapped<Value>(reading path: String, _ work: () throws -> Value) throws -> Value {
        try self.mapped {
            do {
                return try work()
            } catch let error as DatabaseError where DatabaseFile.lacksCompanions(path, error) {
                throw StoreError.unavailable(
                    "SQLite reads the database file with the help of files beside it (-wal, -shm), which cannot be made or "
                        + "opened: the directory is read-only, or somebody else's. Copy the file to where this user may "
                        + "write, with its -wal if there is one, which holds the latest commits, and look at the copy")
            }
        }
    }
}
