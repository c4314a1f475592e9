//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

/// A store with a look at how long its changes take.
struct WatchedStore: PaymentStore {
    let store: any PaymentStore
    let backlog: StoreBacklog

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        try await self.write(expecting: ExpectedLookups(), body)
    }

    func write<Value: Sendable>(
        expecting lookups: ExpectedLookups, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        let began = self.backlog.begin()
        defer { self.backlog.end(began) }
        return try await self.store.write(expecting: lookups, body)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> Value) async throws -> Value {
        try await self.store.read(body)
    }
}

/// How long the store would take over a change that came now, by what it takes over those that it has.
final class StoreBacklog: Sendable {
    private struct State {
        var underWayCount = 0
        /// When a change has ended, or one has begun while there was none.
        var progressAt: ContinuousClock.Instant
        /// Of the latest changes, each counting for an eighth: one that is slow by itself is no backlog.
        var averageMicroseconds: Int64 = 0
    }

    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
        self.state = Mutex(State(progressAt: now()))
    }

    func begin() -> ContinuousClock.Instant {
        let now = self.now()
        self.state.withLock { state in
            if state.underWayCount == 0 { state.progressAt = now }
            state.underWayCount += 1
        }
        return now
    }

    func end(_ began: ContinuousClock.Instant) {
        let now = self.now()
        let took = Self.microseconds(began.duration(to: now))
        self.state.withLock { state in
            state.underWayCount -= 1
            state.progressAt = now
            state.averageMicroseconds += (took - state.averageMicroseconds) / 8
        }
    }

    /// Nothing while nothing is under way.
    var waitMilliseconds: Int64 {
        let now = self.now()
        return self.state.withLock { state in
            guard state.underWayCount > 0 else { return 0 }
            return max(Self.microseconds(state.progressAt.duration(to: now)), state.averageMicroseconds) / 1000
        }
    }

    private static func microseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
