//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// One run of a body in a transaction, on one connection.
///
/// The first statement takes BEGIN along. A read makes a round trip, and what was written before it goes out with it.
/// What a body writes is only sent, and answered together with the next read or the commit: a body that succeeds pays
/// for its reads and its commit. If a write turns out to have been refused, the body is run again ``Mode/exactly``: each
/// write in a savepoint and answered at once, so that the very call throws in the body, and may go on. Nothing is
/// committed in between, so that only the exact run counts.
final class Transaction {
    enum Mode: Hashable {
        /// Reads, on the state of its beginning.
        case reading
        /// Writes; refusals are found out later.
        case swiftly
        /// Writes; refusals are thrown where they happen.
        case exactly
    }

    /// Why the run is of no use, whatever the body makes of it.
    enum Ending: Error {
        /// Others were in the way.
        case runAgain
        /// Others had locked what this transaction must lock first.
        case lockFirst(OrderLock)
        /// A write was refused.
        case runExactly
        /// The connection's mark is gone.
        case markLost
        case connectionLost
        case failed(StoreError)
    }

    private let connection: PostgreSQLConnection
    private let mode: Mode
    private let mark: CommitMark?
    /// Whether several bodies write in it.
    private let isShared: Bool
    private var gathered = GatheredRows()
    /// Set once; from then on every call throws it.
    private(set) var ending: Ending?
    private var isBegun = false
    private var hasUnanswered = false
    /// Whether there is anything to commit.
    private(set) var hasWritten = false
    /// How many statements that write were sent.
    private(set) var writesCount = 0
    /// What the bodies of a shared transaction were known to ask for, by what finds it, as it was at its beginning; without
    /// what the transaction has changed since.
    var foreseen = ForeseenRows()
    /// What others wait for, see ``Locks``.
    var locks = Locks()
    /// The lock that was last asked for without waiting.
    var attemptedLock: OrderLock?

    init(on connection: PostgreSQLConnection, _ mode: Mode, mark: CommitMark?, isShared: Bool = false) {
        self.connection = connection
        self.mode = mode
        self.mark = mark
        self.isShared = isShared
    }

    var isWriting: Bool { self.mode != .reading }

    // MARK: - Reading

    /// The rows of a query.
    ///
    /// - Parameter subjects: by what it finds rows of those kinds that are gathered (``GatheredRows``); `nil` if it can't
    ///   be said, and empty if it finds none.
    func rows(_ sql: String, _ arguments: RowArguments, of subjects: [String]? = nil) throws -> PostgreSQLRows? {
        // What is looked for by a text that can't be stored is not there.
        guard self.connection.isStorable(arguments) else { return nil }
        return try self.rows([(sql, arguments)], of: subjects)[0]
    }

    /// The rows of several queries, in one round trip.
    func rows(
        _ queries: [(sql: String, arguments: RowArguments)], of subjects: [String]? = nil
    ) throws -> [PostgreSQLRows] {
        if subjects.map({ self.gathered.touches($0) }) ?? true { try self.sendGathered() }
        try self.talk { connection throws(ConnectionLost) in
            for query in queries { try connection.send(query.sql, query.arguments, as: .query) }
        }
        let rows = try self.answer()
        guard rows.count == queries.count else { throw self.end(.connectionLost) }
        return rows
    }

    /// Whether the arguments of a statement can be stored at all.
    func isStorable(_ arguments: RowArguments) -> Bool { self.connection.isStorable(arguments) }

    /// Waits for a lock, or asks for it without waiting, before what comes next.
    func sendLock(_ sql: String, _ arguments: RowArguments, waits: Bool = true) throws {
        guard self.connection.isStorable(arguments) else { return }
        try self.talk { connection throws(ConnectionLost) in
            try connection.send(sql, arguments, as: waits ? .lock : .lockAttempt)
        }
    }

    /// How a shared transaction waits for locks, and how the server looks for the rows that one statement changes: by
    /// their keys, however few a new table has and however long its plan is kept.
    func beginSharing(lockTimeoutMilliseconds: Int) throws {
        try self.control(
            """
            SELECT set_config('lock_timeout', '\(lockTimeoutMilliseconds)', true), set_config('enable_seqscan', 'off', true),
                set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)
            """)
    }

    // MARK: - Writing

    /// Runs statements that belong together: all of them count or none, even if the body goes on after a refusal.
    func write(_ statements: () throws -> Void) throws {
        try self.beginWriting()
        guard self.mode == .exactly else {
            do {
                return try statements()
            } catch let error as StoreError {
                // The body may go on; but what was sent before this can't be taken back here.
                throw self.ending.map { $0.error } ?? self.end(.runExactly, insteadOf: error)
            }
        }
        try self.control("SAVEPOINT write")
        let refusal: StoreError?
        do {
            try statements()
            refusal = try self.refusal()
        } catch let error as StoreError where self.ending == nil {
            _ = try self.refusal()
            refusal = error
        }
        if let refusal {
            try self.control("ROLLBACK TO SAVEPOINT write")
            throw refusal
        }
        try self.control("RELEASE SAVEPOINT write")
    }

    /// Sends a statement that writes.
    func execute(_ sql: String, _ arguments: (any RowArgument)?...) throws {
        try self.execute(sql, RowArguments(arguments))
    }

    /// - Parameter isAlone: whether it has nothing to do with rows that may be gathered, see ``GatheredRows``.
    func execute(
        _ sql: String, _ arguments: RowArguments, orElse error: StoreError? = nil, isAlone: Bool = false
    ) throws {
        try self.checkIsStorable(arguments)
        if !isAlone { try self.sendGathered() }
        try self.send(sql, arguments, orElse: error)
        self.writesCount += 1
    }

    /// Writes a row, or several, in a shared transaction together with others of their kind.
    ///
    /// - Parameters:
    ///   - values: one row's after the other's.
    ///   - key: what the row is called; `nil` for one that is written once and not changed.
    ///   - subjects: by what queries may find it, see ``rows(_:_:of:)``.
    func put(
        _ kind: GatheredRows.Kind, _ values: RowArguments, rows count: Int = 1, key: String? = nil,
        of subjects: [String]
    ) throws {
        guard self.isShared else {
            return try self.execute(kind.statement(rows: count), values, orElse: kind.error)
        }
        try self.checkIsStorable(values)
        let key = key.map { "\(kind.table)\u{1F}\($0)" }
        if self.gathered.mustFollow(kind, key: key) { try self.sendGathered() }
        self.gathered.add(kind, values, rows: count, key: key, subjects: subjects)
        self.writesCount += 1
    }

    private func sendGathered() throws {
        guard !self.gathered.isEmpty else { return }
        for statement in self.gathered.takeStatements() {
            try self.send(statement.sql, statement.values, orElse: statement.orElse)
        }
    }

    private func checkIsStorable(_ arguments: RowArguments) throws {
        guard self.connection.isStorable(arguments) else {
            throw StoreError.corrupt("a text with a NUL character, which PostgreSQL does not store")
        }
    }

    private func send(_ sql: String, _ arguments: RowArguments, orElse error: StoreError?) throws {
        try self.talk { connection throws(ConnectionLost) in
            try connection.send(sql, arguments, as: .write(error))
        }
        self.hasUnanswered = true
    }

    /// Sends a statement that must change a row.
    func require(_ change: RequiredChange, _ arguments: RowArguments, orElse error: StoreError) throws {
        try self.execute(change.sql, arguments, orElse: error)
    }

    /// A query that writes, and gives what it has written.
    func rowsOfWrite(_ sql: String, _ arguments: RowArguments, of subjects: [String]? = nil) throws -> PostgreSQLRows? {
        try self.beginWriting()
        let rows = try self.rows(sql, arguments, of: subjects)
        if let rows, rows.count > 0 { self.writesCount += 1 }
        return rows
    }

    private func beginWriting() throws {
        guard !self.hasWritten else { return }
        let mark = self.mark
        try self.talk { connection throws(ConnectionLost) in try mark?.count(on: connection) }
        self.hasWritten = true
    }

    // MARK: - The end

    /// Finds out whether what the body has written would have been refused, for a body that has thrown.
    func check() {
        guard self.hasUnanswered, self.ending == nil else { return }
        _ = try? self.answer()
    }

    enum CommitOutcome {
        case committed
        /// Made, but the server warns: it has not waited for its standby, and if it is lost, so is the transaction
        /// (postgresql.org/docs/15/warm-standby.html, section 27.2.8).
        case committedWithWarning
        case ended(Ending)
        /// The connection was lost, and with it the answer.
        case unanswered
    }

    func commit() -> CommitOutcome {
        do {
            try self.sendGathered()
        } catch {
            return .ended(self.ending ?? .connectionLost)
        }
        do {
            let warningsCount = self.connection.warningsCount
            try self.connection.send("COMMIT", as: .commit)
            let reply = try self.connection.roundTrip()
            guard let failure = reply.failure else {
                return self.connection.warningsCount == warningsCount ? .committed : .committedWithWarning
            }
            return .ended(self.ending(for: failure.error, failure.role))
        } catch {
            return .unanswered
        }
    }

    /// Ends a transaction of which nothing is to be kept, without waiting.
    func rollBack() {
        guard self.isBegun, !self.connection.isLost else { return }
        do {
            // After a failure the server passes over everything up to the end of the batch.
            if self.connection.hasOpenBatch { try self.connection.sendBatch() }
            try self.connection.send("ROLLBACK", as: .control)
            try self.connection.sendBatch()
        } catch {
            // The next to use the connection will notice.
        }
    }

    // MARK: - Talking

    private func talk(_ work: (PostgreSQLConnection) throws(ConnectionLost) -> Void) throws {
        if let ending = self.ending { throw ending.error }
        do {
            if !self.isBegun {
                self.isBegun = true
                try self.connection.send(
                    self.mode == .reading
                        ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
                        : "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", as: .control)
            }
            try work(self.connection)
        } catch {
            throw self.end(.connectionLost)
        }
    }

    private func control(_ sql: String) throws {
        try self.talk { connection throws(ConnectionLost) in try connection.send(sql, as: .control) }
    }

    /// Waits for the answers to all that was sent.
    private func answer() throws -> [PostgreSQLRows] {
        let reply = try self.roundTrip()
        if let failure = reply.failure { throw self.end(self.ending(for: failure.error, failure.role)) }
        return reply.rows
    }

    /// Waits for the answers, of which a refusal is not the end: there is a savepoint before it.
    private func refusal() throws -> StoreError? {
        guard let failure = try self.roundTrip().failure else { return nil }
        if case .write(let error) = failure.role {
            if failure.error.sqlState == Self.divisionByZero, let error { return error }
            if case .refusal(let refusal) = failure.error.meaning { return refusal }
        }
        throw self.end(self.ending(for: failure.error, failure.role))
    }

    private func roundTrip() throws -> PostgreSQLConnection.Reply {
        if let ending = self.ending { throw ending.error }
        do {
            let reply = try self.connection.roundTrip()
            self.hasUnanswered = false
            return reply
        } catch {
            throw self.end(.connectionLost)
        }
    }

    private static let divisionByZero = "22012"

    private func ending(for error: ServerError, _ role: PostgreSQLConnection.Role) -> Ending {
        switch (role, error.meaning) {
        case (.mark, _) where error.sqlState == Self.divisionByZero: return .markLost
        case (.lockAttempt, .failure) where error.sqlState == "55P03":
            return self.attemptedLock.map { .lockFirst($0) } ?? .runAgain
        case (.write, _) where error.sqlState == Self.divisionByZero && self.mode == .swiftly: return .runExactly
        case (_, .runAgain): return .runAgain
        case (.write, .refusal) where self.mode == .swiftly: return .runExactly
        case (_, .refusal(let refusal)): return .failed(refusal)
        case (_, .failure(let failure)): return .failed(failure)
        }
    }

    @discardableResult
    private func end(_ ending: Ending, insteadOf error: (any Error)? = nil) -> any Error {
        if self.ending == nil { self.ending = ending }
        return error ?? ending.error
    }
}

/// A statement that must change a row. If it changes none the server itself fails, at a division by zero, so that
/// nothing sent after it is executed, a commit least of all.
struct RequiredChange {
    let sql: String

    /// - Parameter rows: how many it must change.
    init(_ statement: String, rows: Int = 1) {
        let count = rows == 1 ? "count(*)" : "(count(*) = \(rows))::integer"
        self.sql = "WITH changed AS (\(statement) RETURNING 1) SELECT 1 / \(count) FROM changed"
    }
}

extension Transaction.Ending {
    /// What is thrown into the body.
    var error: any Error {
        guard case .failed(let error) = self else { return self }
        return error
    }
}
