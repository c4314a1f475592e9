//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
import Payments
import Time

/// Walks over the whole store, each of which holds a connection for seconds or minutes: one at a time, whatever it is, since
/// a few at once would leave none for payments.
@_spi(Administration)
public struct LongReads: Sendable {
    static let waitingMax = 8
    /// How many searches of the administration there are at a time. One that fits nothing walks over all of a merchant's
    /// payments, and SQLite has four connections that read.
    static let searchesMax = 2
    static let searchesWaitingMax = 64

    private let turn: LongReadTurn
    private let searches = LongReadTurn(places: Self.searchesMax)
    /// What the ledger's accounts hold.
    public let ledgerSums: KeptRead<[LedgerBalances.Key: LedgerBalances.Sums]>
    /// The proof of the books.
    public let ledgerCheck: JoinedRead<LedgerReport>

    init(
        now: @escaping @Sendable () -> Timestamp, steadyNow: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.turn = LongReadTurn()
        self.ledgerSums = KeptRead(self.turn, now: now, steadyNow: steadyNow)
        self.ledgerCheck = JoinedRead(self.turn)
    }

    /// How many wait for their turn.
    var waitingCount: Int { get async { await self.turn.waitingCount } }

    /// A search by somebody who administers, which is short as a rule. Nothing else waits for it: nobody who signs in, and
    /// nobody who suspends an account.
    ///
    /// - Throws: `StoreError.unavailable` where too many wait; `CancellationError`.
    public func search<Value: Sendable>(_ ask: @Sendable () async throws -> Value) async throws -> Value {
        guard await self.searches.waitingCount < Self.searchesWaitingMax else {
            throw StoreError.unavailable("others search the store, and more wait for it")
        }
        return try await self.searches.runUnlessCancelled(ask)
    }

    /// One that is of whoever asks alone.
    ///
    /// - Throws: `StoreError.unavailable` where too many wait; `CancellationError`.
    public func value<Value: Sendable>(_ ask: @Sendable () async throws -> Value) async throws -> Value {
        guard await self.waitingCount < Self.waitingMax else {
            throw StoreError.unavailable("others walk over the whole store, and more wait for it")
        }
        return try await self.turn.runUnlessCancelled(ask)
    }
}

/// A question that is asked once for all who ask it meanwhile.
///
/// Whoever asks gets an answer that was begun after he asked: one who comes while it is asked waits for the next.
@_spi(Administration)
public actor JoinedRead<Value: Sendable> {
    private let turn: LongReadTurn
    private var next: Task<Value, any Error>?

    init(_ turn: LongReadTurn) {
        self.turn = turn
    }

    public func value(_ ask: @escaping @Sendable () async throws -> Value) async throws -> Value {
        if let next = self.next { return try await next.value }
        let task = Task {
            try await self.turn.run {
                await self.begin()
                return try await ask()
            }
        }
        self.next = task
        return try await task.value
    }

    /// From now on one who comes is too late for it.
    private func begin() { self.next = nil }
}

/// Whose turn it is, in the order in which they came.
actor LongReadTurn {
    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int = 1) {
        self.places = places
    }

    var waitingCount: Int { self.waiting.count }

    func run<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        await self.take()
        defer { self.pass() }
        return try await work()
    }

    /// The same, but not for who has left while he waited.
    func runUnlessCancelled<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        try await self.run {
            try Task.checkCancellation()
            return try await work()
        }
    }

    private func take() async {
        guard self.places == 0 else {
            self.places -= 1
            return
        }
        await withCheckedContinuation { self.waiting.append($0) }
    }

    private func pass() {
        if self.waiting.isEmpty {
            self.places += 1
        } else {
            self.waiting.removeFirst().resume()
        }
    }
}
