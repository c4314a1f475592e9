//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
public import Money
public import Payments
import SQLiteLog
import Synchronization

/// The simulator's own book: an SQLite database of its own, in memory or in a file.
///
/// It is what the acquirer knows, and the gateway's store has no part in it. A file survives the end of the process,
/// kill -9 among the ends: every answer is given after its commit has reached the operating system (WAL,
/// synchronous=NORMAL). It does not promise to survive a power cut whole: the last commits may be gone then, as no
/// commit waits for the disk.
///
/// All work is done one after the other on the database's own queue, and what has gathered meanwhile is committed
/// together; no caller's thread waits for it, unless the book was made to work in place.
public final class SimulatorBook: Sendable {
    private let queue: DatabaseQueue
    /// `nil` in memory.
    private let log: CheckpointedLog?
    private let worksInPlace: Bool
    private let waiting = Mutex<[any BookWork]>([])
    /// What it is called and no other, for as long as it is; `nil` for one that was opened without an id.
    public let id: AcquirerBookID?

    /// - Parameter path: the file's; `nil` in memory.
    private init(
        _ queue: DatabaseQueue, path: String? = nil, id: AcquirerBookID? = nil, worksInPlace: Bool = false
    ) throws(SimulatorBookError) {
        self.queue = queue
        self.worksInPlace = worksInPlace
        do {
            try BookSchema.migrator.migrate(queue)
            self.log = try path.map { path in
                try queue.writeWithoutTransaction { database in
                    try CheckpointedLog(path: path, framesMax: BookSchema.logPagesMax, writer: database)
                }
            }
            self.id = try id.map { id in try queue.write { try BookPages(database: $0).id(orNew: id) } }
        } catch {
            throw error as? SimulatorBookError ?? .cannotOpen
        }
    }

    /// A book that ends with the process.
    ///
    /// - Parameters:
    ///   - id: what it is called, where it is served to gateways elsewhere.
    ///   - worksInPlace: whether all work is done while the caller waits, and no call suspends: for a simulation that
    ///     decides itself what comes next.
    /// - Throws: ``SimulatorBookError``.
    public static func inMemory(
        id: AcquirerBookID? = nil, worksInPlace: Bool = false
    ) throws(SimulatorBookError) -> SimulatorBook {
        let queue: DatabaseQueue
        do {
            queue = try DatabaseQueue(configuration: BookSchema.configuration(isFile: false))
        } catch {
            throw .cannotOpen
        }
        return try SimulatorBook(queue, id: id, worksInPlace: worksInPlace)
    }

    /// A book in a file, which is made if it isn't there; its folder must be.
    /// - Parameter newID: what it is called from now on if it has not been called anything; whoever serves it to gateways
    ///   elsewhere draws one.
    /// - Throws: ``SimulatorBookError``.
    public static func open(
        path: String, newID: AcquirerBookID? = nil
    ) throws(SimulatorBookError) -> SimulatorBook {
        try BookFile.prepare(path)
        let queue: DatabaseQueue
        do {
            queue = try DatabaseQueue(path: path, configuration: BookSchema.configuration(isFile: true))
        } catch {
            throw .cannotOpen
        }
        return try SimulatorBook(queue, path: path, id: newID)
    }

    /// Closes the database. What is asked of the acquirer afterwards ends as unknown.
    /// - Throws: ``SimulatorBookError``.
    public func close() throws(SimulatorBookError) {
        do {
            if let log = self.log { try self.queue.writeWithoutTransaction { try log.close($0) } }
            try self.queue.close()
        } catch {
            throw .unavailable
        }
    }

    // MARK: - What it says

    /// What became of an operation; `nil` when the acquirer has never heard of it.
    /// - Throws: ``SimulatorBookError``.
    public func entry(_ operationID: OperationID) async throws -> SimulatorEntry? {
        try await self.transaction { try $0.entry(operationID) }
    }

    /// Every entry, in the order booked.
    /// - Throws: ``SimulatorBookError``.
    public func entries() async throws -> [SimulatorEntry] {
        try await self.transaction { pages in
            var entries: [SimulatorEntry] = []
            try pages.forEachEntry { entries.append($0) }
            return entries
        }
    }

    /// The entries of a payment, in the order booked.
    /// - Throws: ``SimulatorBookError``.
    public func entries(of paymentID: PaymentID) async throws -> [SimulatorEntry] {
        try await self.transaction { try $0.entries(of: paymentID) }
    }

    /// The sums of a payment; `nil` when the acquirer has never heard of it.
    /// - Throws: ``SimulatorBookError``.
    public func position(_ paymentID: PaymentID) async throws -> SimulatorPosition? {
        let sums = try await self.transaction { pages in
            var sums = PositionSums()
            for entry in try pages.entries(of: paymentID) { sums.add(entry) }
            return sums.positions()
        }
        return sums.first?.value
    }

    /// The sums of all payments, by currency.
    /// - Throws: ``SimulatorBookError``.
    public func totals() async throws -> [Currency: SimulatorPosition] {
        try await self.transaction { pages in
            var sums = PositionSums()
            try pages.forEachEntry { sums.add($0) }
            return sums.positions()
        }
    }

    // MARK: - Transactions

    /// Runs a body in a transaction on the database's queue. It can't be cancelled: an acquirer finishes what has
    /// reached it.
    func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (BookPages) throws -> Value
    ) async throws -> Value {
        guard !self.worksInPlace else {
            do {
                return try self.commitInPlace(body)
            } catch {
                throw error as? SimulatorBookError ?? .unavailable
            }
        }
        return try await withCheckedThrowingContinuation { continuation in
            let work = PendingBookWork(body, continuation)
            let isFirst = self.waiting.withLock { waiting in
                waiting.append(work)
                return waiting.count == 1
            }
            guard isFirst else { return }
            self.queue.asyncWriteWithoutTransaction { self.commitWaiting($0) }
        }
    }

    /// All that waits in one commit. Where one of several fails, each is done on its own, so that only that one does.
    private func commitWaiting(_ database: Database) {
        let batch = self.waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        do {
            try Self.commit(database) { pages in for work in batch { try work.run(pages) } }
            for work in batch { work.finish(nil) }
        } catch  where batch.count > 1 {
            for work in batch {
                let result = Result { try Self.commit(database, work.run) }
                work.finish(result.failure)
            }
        } catch {
            for work in batch { work.finish(error) }
        }
        if let log = self.log, log.isDue { log.empty(with: database) }
    }

    /// A function of its own, because where it is called from is asynchronous and this waits.
    private func commitInPlace<Value>(_ body: (BookPages) throws -> Value) throws -> Value {
        try self.queue.writeWithoutTransaction { try Self.commit($0, body) }
    }

    private static func commit<Value>(_ database: Database, _ body: (BookPages) throws -> Value) throws -> Value {
        try database.beginTransaction(.immediate)
        do {
            let value = try body(BookPages(database: database))
            try database.commit()
            return value
        } catch {
            if database.isInsideTransaction { try database.rollback() }
            throw error
        }
    }
}

/// A body that waits to be run and committed, whatever it returns. Only the database's queue touches it.
private protocol BookWork: AnyObject, Sendable {
    /// Runs the body, the second time as if there had been no first, and keeps what it returns.
    func run(_ pages: BookPages) throws
    /// Answers the caller.
    func finish(_ failure: (any Error)?)
}

private final class PendingBookWork<Value: Sendable>: BookWork {
    private let body: @Sendable (BookPages) throws -> Value
    private let continuation: CheckedContinuation<Value, any Error>
    private let value = Mutex<Value?>(nil)

    init(
        _ body: @escaping @Sendable (BookPages) throws -> Value, _ continuation: CheckedContinuation<Value, any Error>
    ) {
        self.body = body
        self.continuation = continuation
    }

    func run(_ pages: BookPages) throws {
        let value = try self.body(pages)
        self.value.withLock { $0 = value }
    }

    func finish(_ failure: (any Error)?) {
        guard failure == nil, let value = self.value.withLock({ $0 }) else {
            return self.continuation.resume(throwing: failure as? SimulatorBookError ?? .unavailable)
        }
        self.continuation.resume(returning: value)
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

/// Why the book can't be read or written. It carries nothing that is in the book.
public struct SimulatorBookError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable name; more may come.
    public let code: String
    /// What is wrong, and what to do.
    public let message: String

    public var description: String { "\(self.message) (\(self.code))" }

    /// The file can't be made, opened, or brought to this version's tables.
    public static let cannotOpen = SimulatorBookError(
        code: "simulator_book_cannot_open",
        message:
            "The simulator's book can't be opened: see that its folder exists and may be written, and that it is one."
    )
    /// The database was closed, or the disk refuses.
    public static let unavailable = SimulatorBookError(
        code: "simulator_book_unavailable",
        message: "The simulator's book can't be read or written: see that it isn't closed and that the disk has room.")
    /// A row holds what no version of this program writes.
    public static let corrupt = SimulatorBookError(
        code: "simulator_book_corrupt",
        message: "The simulator's book holds a row that can't be right: move the file away and start with a new one.")
}
