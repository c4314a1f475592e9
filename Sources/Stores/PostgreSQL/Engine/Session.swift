//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// One connection to the server and the thread that it belongs to: takes works from the queue, and runs each until it is
/// done, over lost connections, deadlocks and refusals.
///
/// Works that write and wait together share a transaction, and with it a commit. They run one after the other, each on
/// what those before it have written, and are answered when all of it is committed. Whatever goes wrong with that (a
/// body that throws after it has written, a refusal by the server, a lock that others hold for long), nothing of it is
/// kept, and each work runs in a transaction of its own.
final class Session {
    private let address: ServerAddress
    private let queue: WorkQueue
    private let settings: PostgreSQLSettings
    private let isReadOnly: Bool
    private var connection: PostgreSQLConnection?
    private var mark: CommitMark?
    /// How often in a row no connection could be made.
    private var failuresCount = 0
    /// How many works are to be run each by itself, since works that ran together were in the way of others.
    private var soloCount = 0

    init(address: ServerAddress, queue: WorkQueue, settings: PostgreSQLSettings, isReadOnly: Bool) {
        self.address = address
        self.queue = queue
        self.settings = settings
        self.isReadOnly = isReadOnly
    }

    /// Works until the queue is closed.
    func work() {
        // The first call should not have to wait for it; if it fails, that call tries again.
        try? self.connect()
        var hasWritten = false
        while true {
            let works = self.queue.take(
                gathering: self.soloCount > 0 ? 1 : self.settings.gatheredMax, afterWriting: hasWritten)
            if works.isEmpty { break }
            hasWritten = works[0].isWriting
            self.soloCount -= min(self.soloCount, works.count)
            if works[0].isWriting, works.count >= self.settings.gatheredMin, self.runTogether(works) { continue }
            for work in works { self.run(work) }
        }
        if let connection = self.connection, let mark = self.mark { try? mark.remove(on: connection) }
        self.connection = nil
        self.queue.threadHasEnded()
    }

    // MARK: - Connecting

    private func connect() throws(StoreError) {
        let connection = try self.address.connectForPipeline()
        if !self.isReadOnly {
            let mark: CommitMark?
            do throws(ConnectionLost) {
                mark = try CommitMark.make(on: connection)
            } catch {
                throw .unavailable("the PostgreSQL server cannot be reached: the connection was lost")
            }
            guard let mark else {
                throw .unavailable("the PostgreSQL server takes no writes; it may be a standby, or not up to date")
            }
            self.mark = mark
        }
        self.connection = connection
        self.failuresCount = 0
    }

    /// The connection, made anew if it is lost.
    /// - Throws: ``StoreError/unavailable(_:)`` when there is none until the deadline.
    private func connection(until deadline: UInt64) throws(StoreError) -> PostgreSQLConnection {
        if let connection = self.connection, connection.isLost { self.connection = nil }
        while true {
            if let connection = self.connection { return connection }
            let failure: StoreError
            do throws(StoreError) {
                try self.connect()
                continue
            } catch {
                failure = error
            }
            self.failuresCount += 1
            guard self.pause(self.failuresCount, longest: 1000, until: deadline) else { throw failure }
        }
    }

    /// Waits before the next try: longer each time, and not all for the same time.
    /// - Returns: `false`, at once, when the deadline would pass meanwhile.
    private func pause(_ failuresCount: Int, longest: UInt64, until deadline: UInt64) -> Bool {
        let span = min(longest, 10 << UInt64(min(failuresCount, 10)))
        let wait = span / 2 + self.settings.random() % (span / 2 + 1)
        guard self.settings.uptimeMilliseconds() + wait < deadline else { return false }
        self.settings.pause(wait)
        return true
    }

    // MARK: - Working

    private enum RunOutcome {
        /// The caller has been answered, or will be with this error.
        case done
        case failed(StoreError)
        case again(exactly: Bool, pauses: Bool)
        case lockFirst(OrderLock)
    }

    private func run(_ work: any StoreWork) {
        var mode = work.isWriting ? Transaction.Mode.swiftly : .reading
        var runsCount = 0
        var collisionsCount = 0
        var firstLocks: Set<OrderLock> = []
        while true {
            guard self.settings.uptimeMilliseconds() < work.deadline || runsCount == 0 && self.isConnected else {
                return work.finish(
                    failure: .unavailable("no connection to the server was free in time; try again later"))
            }
            guard runsCount < self.settings.runsMax else {
                return work.finish(
                    failure: .unavailable("others were in the way of the transaction each time it was run"))
            }
            let connection: PostgreSQLConnection
            do throws(StoreError) {
                connection = try self.connection(until: work.deadline)
            } catch {
                return work.finish(failure: error)
            }
            runsCount += 1
            let transaction = Transaction(on: connection, mode, mark: self.mark)
            // What fails here is found in the transaction's ending.
            try? transaction.lockFirst(firstLocks)
            switch self.run(work, in: transaction) {
            case .done: return
            case .failed(let failure): return work.finish(failure: failure)
            case .lockFirst(let order): firstLocks.insert(order)
            case .again(let exactly, let pauses):
                if exactly { mode = .exactly }
                guard pauses else { continue }
                collisionsCount += 1
                guard self.pause(min(collisionsCount, 4) - 1, longest: 80, until: work.deadline) else {
                    return work.finish(failure: .unavailable("others were in the way of the transaction for too long"))
                }
            }
        }
    }

    private var isConnected: Bool { self.connection?.isLost == false }

    private func run(_ work: any StoreWork, in transaction: Transaction) -> RunOutcome {
        let hasReturned = work.run(in: transaction)
        if !hasReturned { transaction.check() }
        if let ending = transaction.ending { return self.outcome(of: ending, in: transaction) }
        guard hasReturned, transaction.hasWritten else {
            // Nothing is to be kept, and what the body has seen stays true whatever becomes of the connection.
            work.finish(failure: nil)
            transaction.rollBack()
            return .done
        }
        switch self.commit(transaction) {
        case .committed:
            work.finish(failure: nil)
            return .done
        case .ended(let ending): return self.outcome(of: ending, in: transaction)
        case .neverMade: return .again(exactly: false, pauses: false)
        case .uncertain(let failure): return .failed(failure)
        }
    }

    // MARK: - Working together

    /// - Returns: `false` when nothing of it has been kept, and nobody answered.
    private func runTogether(_ works: [any StoreWork]) -> Bool {
        guard let connection = self.connection, !connection.isLost else { return false }
        let transaction = Transaction(on: connection, .swiftly, mark: self.mark, isShared: true)
        // What fails here is found in the transaction's ending.
        try? transaction.beginSharing(lockTimeoutMilliseconds: self.settings.gatheredLockTimeoutMilliseconds)
        try? transaction.lookAhead(works.map(\.lookups))
        for work in works {
            let writesCount = transaction.writesCount
            let hasReturned = work.run(in: transaction)
            guard transaction.ending == nil, hasReturned || transaction.writesCount == writesCount else {
                return self.giveUp(transaction, transaction.ending)
            }
        }
        guard transaction.hasWritten else {
            for work in works { work.finish(failure: nil) }
            transaction.rollBack()
            return true
        }
        switch self.commit(transaction) {
        case .committed: for work in works { work.finish(failure: nil) }
        case .ended(let ending): return self.giveUp(transaction, ending)
        case .neverMade: return false
        case .uncertain(let failure): for work in works { work.finish(failure: failure) }
        }
        return true
    }

    private func giveUp(_ transaction: Transaction, _ ending: Transaction.Ending?) -> Bool {
        if let ending { _ = self.outcome(of: ending, in: transaction) } else { transaction.rollBack() }
        self.soloCount = self.settings.gatheredMax * 4
        return false
    }

    private func outcome(of ending: Transaction.Ending, in transaction: Transaction) -> RunOutcome {
        transaction.rollBack()
        switch ending {
        case .runAgain: return .again(exactly: false, pauses: true)
        case .lockFirst(let order): return .lockFirst(order)
        case .runExactly: return .again(exactly: true, pauses: false)
        case .connectionLost:
            self.connection = nil
            return .again(exactly: false, pauses: false)
        case .markLost:
            // Swept up after long idleness; a new connection makes a new one.
            self.connection = nil
            return .again(exactly: false, pauses: false)
        case .failed(let failure): return .failed(failure)
        }
    }

    // MARK: - Committing

    private enum CommitEnd {
        case committed
        case ended(Transaction.Ending)
        /// Its answer was lost, and it was not made.
        case neverMade
        /// Nobody knows, or nobody knows for how long.
        case uncertain(StoreError)
    }

    private func commit(_ transaction: Transaction) -> CommitEnd {
        switch transaction.commit() {
        case .committed:
            self.mark?.sequence += 1
            return .committed
        case .committedWithWarning:
            self.mark?.sequence += 1
            return .uncertain(Self.unreplicated)
        case .ended(let ending): return .ended(ending)
        case .unanswered:
            switch self.resolve() {
            case .committed: return .committed
            case .committedAlone: return .uncertain(Self.unreplicated)
            case .rolledBack: return .neverMade
            case .unknown: return .uncertain(Self.unanswered)
            }
        }
    }

    /// Finds out what has become of a commit that was not answered.
    private func resolve() -> CommitFate {
        self.connection = nil
        guard let mark = self.mark else { return .unknown }
        let deadline = self.settings.uptimeMilliseconds() + UInt64(self.settings.callTimeoutMilliseconds)
        var seen: CommitFate?
        var triesCount = 0
        while let connection = try? self.connection(until: deadline) {
            // Without a fate the old transaction goes on, or this connection is lost as well.
            if let fate = try? mark.fate(on: connection, earlier: &seen) { return fate }
            triesCount += 1
            guard self.pause(triesCount, longest: 1000, until: deadline) else { break }
        }
        return .unknown
    }

    private static let unanswered = StoreError.unavailable(
        "the connection was lost during a commit, which may or may not have been made; look before trying again")
    private static let unreplicated = StoreError.unavailable(
        "a commit was not let wait for the server's standby, and is lost if the server is; look before trying again")
}
