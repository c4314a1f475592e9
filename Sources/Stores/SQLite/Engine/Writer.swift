//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Foundation
import GRDB
import Payments
import SQLiteLog
import Synchronization

/// The one who writes: a thread of its own that takes all bodies that wait, runs one after the other, and commits them
/// together, so that one sync of the disk serves many callers. While it syncs, the next bodies gather.
final class Writer: Sendable {
    /// The most bodies in one commit: a bound on how long the first of them waits for the last.
    static let batchMax = 256
    /// The most bodies that wait. More than that means that the disk cannot keep up, and waiting longer would not help.
    static let waitingMax = 16_384

    private struct State {
        var isOpen = true
        var waiting: [any WriteWork] = []
    }

    private let pool: DatabasePool
    /// `nil` beside another process, which empties the log.
    private let log: CheckpointedLog?
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    /// Used on the writer's thread only.
    private nonisolated(unsafe) let hotStatements = HotStatements()

    init(pool: DatabasePool, log: CheckpointedLog?) {
        self.pool = pool
        self.log = log
    }

    func start() {
        let thread = Thread { self.work() }
        thread.name = "pomona.store.writer"
        thread.start()
    }

    /// Ends the thread after the bodies that wait.
    func stop() {
        self.state.withLock { $0.isOpen = false }
        self.wake.signal()
    }

    /// - Returns: why the work is refused; `nil` when it waits now.
    func submit(_ work: any WriteWork) -> StoreError? {
        let (refusal, isFirst): (StoreError?, Bool) = self.state.withLock { state in
            guard state.isOpen else { return (.unavailable("the store is closed"), false) }
            guard state.waiting.count < Self.waitingMax else {
                return (.unavailable("too many writes are waiting; try again later"), false)
            }
            state.waiting.append(work)
            return (nil, state.waiting.count == 1)
        }
        if isFirst { self.wake.signal() }
        return refusal
    }

    // MARK: - On the writer's thread

    private func work() {
        while true {
            self.wake.wait()
            while let batch = self.takeBatch() { self.commit(batch) }
            if self.state.withLock({ !$0.isOpen && $0.waiting.isEmpty }) { return }
        }
    }

    private func takeBatch() -> [any WriteWork]? {
        self.state.withLock { state in
            guard !state.waiting.isEmpty else { return nil }
            guard state.waiting.count > Self.batchMax else {
                defer { state.waiting = [] }
                return state.waiting
            }
            defer { state.waiting.removeFirst(Self.batchMax) }
            return Array(state.waiting.prefix(Self.batchMax))
        }
    }

    private func commit(_ batch: [any WriteWork]) {
        let outcome = self.pool.writeWithoutTransaction { database in
            WriteBatch(database: database, hotStatements: self.hotStatements).commit(batch)
        }
        switch outcome {
        case .committed: for work in batch { work.finish(failure: nil) }
        case .failed(let error): for work in batch { work.finish(failure: error) }
        case .mustBeSplit: for work in batch { self.commit([work]) }
        }
        if let log = self.log, log.isDue { self.pool.writeWithoutTransaction { log.empty(with: $0) } }
    }
}

/// One transaction for several bodies.
///
/// Nearly always all of them return, and so they are run one after the other with nothing between them at first. A body
/// that throws, or that goes on after a part of it has failed, has all of them undone and run again, each in a savepoint.
/// Savepoints from the start took a quarter of the writer's time: in each, SQLite copies every page before it first
/// changes it (sqlite.org/tempfiles.html, section 2.3), and the bodies of a batch change the same pages.
struct WriteBatch {
    enum Outcome {
        /// What bodies have returned is durable.
        case committed
        /// Nothing of it is kept.
        case failed(StoreError)
        /// Nothing of it is kept, because of one body among several; each must be run on its own, so that only that one
        /// fails.
        case mustBeSplit
    }

    let database: Database
    let hotStatements: HotStatements

    func commit(_ batch: [any WriteWork]) -> Outcome {
        do {
            try self.begin()
            if !self.runTogether(batch) {
                try self.begin()
                guard try self.runApart(batch) else {
                    try self.database.rollback()
                    return .committed
                }
            }
            try self.execute("COMMIT")
            return .committed
        } catch {
            if self.database.isInsideTransaction { try? self.database.rollback() }
            guard let error = error as? DatabaseError else {
                return .failed(error as? StoreError ?? .unavailable("the transaction was rolled back"))
            }
            // References are checked at the commit, which does not say whose is wrong.
            if error.resultCode == .SQLITE_CONSTRAINT, batch.count > 1 { return .mustBeSplit }
            return .failed(StoreError(error))
        }
    }

    private func begin() throws {
        // What bodies have written that is to be undone, or what an earlier failure has left open.
        if self.database.isInsideTransaction { try self.database.rollback() }
        try self.execute("BEGIN IMMEDIATE")
    }

    /// - Returns: whether all bodies have returned and what they have written may be kept.
    private func runTogether(_ batch: [any WriteWork]) -> Bool {
        for work in batch {
            let connection = SQLiteConnection(self.database, self.hotStatements)
            guard work.run(in: SQLiteTransaction(connection: connection)), !connection.isHalfDone else { return false }
        }
        return true
    }

    /// - Returns: whether any body has returned.
    private func runApart(_ batch: [any WriteWork]) throws -> Bool {
        var hasChanges = false
        for work in batch {
            if try self.runApart(work) { hasChanges = true }
        }
        return hasChanges
    }

    /// Runs a body in a savepoint; what it has written is taken back when it throws.
    /// - Returns: whether it has returned.
    private func runApart(_ work: any WriteWork) throws -> Bool {
        try self.execute("SAVEPOINT body")
        let connection = SQLiteConnection(self.database, self.hotStatements, hasSavepoint: true)
        let succeeded = work.run(in: SQLiteTransaction(connection: connection))
        guard self.database.isInsideTransaction else {
            // SQLite has taken everything back by itself, what earlier bodies wrote among it.
            throw StoreError.unavailable(
                "the transaction was rolled back because the database file could not be written")
        }
        if !succeeded { try self.execute("ROLLBACK TO body") }
        try self.execute("RELEASE body")
        return succeeded
    }

    private func execute(_ sql: String) throws {
        try self.database.cachedStatement(sql: sql).execute()
    }
}
