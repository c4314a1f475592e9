//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import MemoryStore
import Payments
import Synchronization
import TestGateway
import Testing

@testable import Workers

struct RetentionWorkerTests {
    /// It sweeps at the start, waits a minute before each look, and what the store refuses once does not end it.
    @Test func looksOnceAMinuteUntilItIsStopped() async throws {
        let store = RefusingStore()
        let test = try await TestGateway.open(store: store)
        let waits = Mutex(0)
        let never = AsyncStream.makeStream(of: Void.self)
        let worker = RetentionWorker(gateway: test.gateway, dialects: []) { milliseconds in
            #expect(milliseconds == 60_000)
            let number = waits.withLock { waits in
                waits += 1
                return waits
            }
            // The third wait lasts until the worker is stopped.
            if number == 3 { for await _ in never.stream {} }
        }
        let readsCount = store.readsCount.withLock { $0 }
        let writesCount = store.writesCount.withLock { $0 }
        store.refuses.withLock { $0 = true }
        let task = Task { try await worker.run() }
        while waits.withLock({ $0 }) < 3 { await Task.yield() }
        task.cancel()
        try await task.value
        #expect(waits.withLock { $0 } == 3)
        #expect(store.readsCount.withLock { $0 } - readsCount >= 2)
        // One sweep before the first wait, and one after each.
        #expect(store.writesCount.withLock { $0 } - writesCount == 1 + 3)
    }
}

/// Counts what is asked, and refuses what is read.
private final class RefusingStore: PaymentStore {
    let readsCount = Mutex(0)
    let writesCount = Mutex(0)
    let refuses = Mutex(false)
    private let base = MemoryStore()

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        self.readsCount.withLock { $0 += 1 }
        guard !self.refuses.withLock({ $0 }) else { throw StoreError.unavailable("it is away") }
        return try await self.base.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        self.writesCount.withLock { $0 += 1 }
        return try await self.base.write(body)
    }
}
