//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
public import Payments
public import Redaction
import Threads

/// Payments in a PostgreSQL database, which any number of nodes may write at the same time.
///
/// A commit is durable when it returns, as far as the server's settings make it so (`fsync`, `synchronous_commit`; the
/// latter is raised from `off` to `on`). Each of a few connections has a thread of its own, on which bodies run; none
/// ever blocks a thread of the cooperative pool. How nodes keep out of each other's way is written at ``Locks``.
///
/// **The URL** is libpq's (postgresql.org/docs/15/libpq-connect.html, section 34.1.1.2) with all of its parameters:
/// several hosts with `target_session_attrs=read-write` for a server with standbys, and TLS with `sslmode=verify-full`,
/// `sslrootcert`, `sslcert`, `sslkey`. libpq's default, `sslmode=prefer`, neither checks the server nor insists on TLS:
/// over a network, ask for `verify-full`. A connection pooler in between must pool by session.
///
/// **Failures.** A lost connection is made again, with pauses that grow; the body runs again, unless its commit was on
/// its way: what has become of that is asked of the server (``CommitMark``), and if nobody can say, the call fails with
/// ``StoreError/unavailable(_:)`` and the words that the commit may or may not have been made. A call that finds no
/// server within its time fails with ``StoreError/unavailable(_:)`` too, and later calls find the server by themselves
/// when it is back. Errors carry no value of a row and no password.
public final class PostgreSQLStore: PaymentStore {
    private let queue: WorkQueue
    private let settings: PostgreSQLSettings
    private let isReadOnly: Bool

    private init(address: ServerAddress, settings: PostgreSQLSettings, isReadOnly: Bool) {
        let threadsCount = max(1, settings.connectionsCount)
        let queue = WorkQueue(threadsCount: threadsCount, settings)
        self.queue = queue
        self.settings = settings
        self.isReadOnly = isReadOnly
        for number in 1...threadsCount {
            let thread = Thread {
                Session(address: address, queue: queue, settings: settings, isReadOnly: isReadOnly).work()
            }
            thread.name = "pomona.store.\(number)"
            thread.start()
        }
    }

    deinit {
        self.queue.close()
    }

    /// Opens a database for reading and writing, makes the tables when there are none, and brings older ones up to date.
    /// Several nodes may do so at the same time.
    ///
    /// - Parameter url: "postgresql://user:password@host:5432/database?sslmode=verify-full".
    /// - Throws: ``StoreError/unavailable(_:)`` when the server cannot be reached, or the database is another program's
    ///   or a later version's.
    public static func open(
        url: Redacted<String>, settings: PostgreSQLSettings = PostgreSQLSettings()
    ) async throws -> PostgreSQLStore {
        let address = try ServerAddress(url: url, settings: settings, isReadOnly: false)
        try await onOwnThread { try Migrator(address, settings: settings).bringUpToDate() }
        return PostgreSQLStore(address: address, settings: settings, isReadOnly: false)
    }

    /// Opens a database for reading and writing as it is: for an operator's commands. Nothing is made or brought up to
    /// date.
    /// - Throws: ``StoreError/unavailable(_:)``, also when the database is not of this version.
    public static func openBeside(
        url: Redacted<String>, settings: PostgreSQLSettings = PostgreSQLSettings()
    ) async throws -> PostgreSQLStore {
        let address = try ServerAddress(url: url, settings: settings, isReadOnly: false)
        try await onOwnThread { try Migrator(address).checkIsUpToDate() }
        return PostgreSQLStore(address: address, settings: settings, isReadOnly: false)
    }

    /// Opens a database for reading only; it may be a standby's.
    /// - Throws: ``StoreError/unavailable(_:)``, also when the database is not of this version.
    public static func openReadOnly(
        url: Redacted<String>, settings: PostgreSQLSettings = PostgreSQLSettings()
    ) async throws -> PostgreSQLStore {
        let address = try ServerAddress(url: url, settings: settings, isReadOnly: true)
        try await onOwnThread { try Migrator(address).checkIsUpToDate() }
        return PostgreSQLStore(address: address, settings: settings, isReadOnly: true)
    }

    /// Whether a gateway has begun on a database. One that is empty, or was left in the middle of its making, has nothing
    /// in it that could be lost. Nothing is changed.
    /// - Throws: ``StoreError/unavailable(_:)``, also when the database is another program's or a later version's.
    public static func isBegun(
        url: Redacted<String>, settings: PostgreSQLSettings = PostgreSQLSettings()
    ) async throws -> Bool {
        let address = try ServerAddress(url: url, settings: settings, isReadOnly: true)
        return try await onOwnThread { try Migrator(address).isBegun() }
    }

    /// What ``open(url:settings:)`` would do to a database's tables, in order. Nothing is changed.
    /// - Throws: ``StoreError/unavailable(_:)``, also when the database is another program's or a later version's.
    public static func missingSteps(
        url: Redacted<String>, settings: PostgreSQLSettings = PostgreSQLSettings()
    ) async throws -> [String] {
        let address = try ServerAddress(url: url, settings: settings, isReadOnly: true)
        return try await onOwnThread { try Migrator(address).missingSteps() }
    }

    /// How many calls wait for a connection.
    public var waitingCount: Int { self.queue.waitingCount }

    /// Lets what is under way end, refuses what comes after with ``StoreError/unavailable(_:)``, and closes the
    /// connections. Closing again does nothing.
    public func close() async {
        self.queue.close()
        await self.queue.waitForThreads()
    }

    /// Runs a body and commits it. Once handed in, a body is run and committed even if the caller's task is cancelled.
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        try await self.write(expecting: ExpectedLookups(), body)
    }

    /// The same. Of bodies that share a transaction all that is expected is asked for in one round trip.
    public func write<Value: Sendable>(
        expecting lookups: ExpectedLookups, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        guard !self.isReadOnly else { throw StoreError.unavailable("the store is open for reading only") }
        return try await self.run(isWriting: true, lookups) { try body($0) }
    }

    /// Runs a body on the state of its beginning.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await self.run(isWriting: false) { try body($0) }
    }

    private func run<Value: Sendable>(
        isWriting: Bool, _ lookups: ExpectedLookups = ExpectedLookups(),
        _ body: @escaping @Sendable (PostgreSQLTransaction) throws -> Value
    ) async throws -> Value {
        let deadline = self.settings.uptimeMilliseconds() + UInt64(max(0, self.settings.callTimeoutMilliseconds))
        return try await withCheckedThrowingContinuation { continuation in
            let work = PendingWork(
                isWriting: isWriting, lookups: lookups, deadline: deadline, continuation: continuation, body: body)
            if let refusal = self.queue.submit(work) { continuation.resume(throwing: refusal) }
        }
    }
}
