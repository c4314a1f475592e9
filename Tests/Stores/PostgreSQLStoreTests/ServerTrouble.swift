//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Payments
import PostgreSQLStore
import Redaction
import TestPostgres
import TestProcesses
import Testing

/// What the server, or somebody at it, may do to a store.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServerTrouble {
    private func settings(connections: Int = 1, _ change: (inout PostgreSQLSettings) -> Void = { _ in })
        -> PostgreSQLSettings
    {
        var settings = PostgreSQLSettings.patient
        settings.connectionsCount = connections
        change(&settings)
        return settings
    }

    @Test func bodyRunsAgainWhenItsConnectionIsLost() async throws {
        try await withStore(self.settings()) { store, database in
            try await Sample.storeSale(store)
            let runs = Count()
            let terminate = DispatchSemaphore(value: 0)
            let isTerminated = DispatchSemaphore(value: 0)
            async let write: Void = store.write { transaction in
                let isFirstRun = runs.next() == 1
                try transaction.insert(Sample.merchant(2))
                #expect(try transaction.merchants().count == 2)
                if isFirstRun {
                    terminate.signal()
                    isTerminated.wait()
                }
                try transaction.insert(Sample.merchant(3))
            }
            try await wait(for: terminate)
            try await database.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """)
            isTerminated.signal()
            try await write
            #expect(runs.value == 2)
            #expect(try await store.read { try $0.merchants().count } == 3)
        }
    }

    /// Whatever was acknowledged before the server was killed is there when it is back, and the store finds it by itself.
    @Test func storeOutlivesAKilledServer() async throws {
        let server = try await PostgresServer.start(fsync: true)
        let database = try await TestDatabase.makeEmpty(on: server)
        try await database.withStore(self.settings(connections: 4) { $0.callTimeoutMilliseconds = 120_000 }) { store in
            try await Sample.storeSale(store)
            let acknowledged = Count()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        try await store.write { try $0.insert(Sample.merchant(100 + number)) }
                        acknowledged.next()
                    }
                }
                try await until { acknowledged.value >= 20 }
                try await server.kill()
                try await server.start()
                try await group.waitForAll()
            }
            #expect(try await store.read { try $0.merchants().count } == 201)
        }
        try await server.stop()
    }

    @Test func callsFailInTimeWithoutAServerAndSucceedWhenItIsBack() async throws {
        let server = try await PostgresServer.start()
        let database = try await TestDatabase.makeEmpty(on: server)
        try await database.withStore(self.settings { $0.callTimeoutMilliseconds = 3000 }) { store in
            try await server.stop()
            do {
                try await store.write { try $0.insert(Sample.merchant()) }
                Issue.record("is not refused")
            } catch StoreError.unavailable(let text) {
                // The commit goes out with the write: whether the server was found gone before or after it depends on how
                // soon the connection learns of its end.
                #expect(text.contains("cannot be reached") || text.contains("may or may not have been made"))
            }
            try await server.start()
            try await store.write { try $0.insert(Sample.merchant()) }
            #expect(try await store.read { try $0.merchants().count } == 1)
        }
        try await server.stop()
    }

    @Test(arguments: [
        (60_000, 1000, "took too long"), (1000, 60_000, "locked by others for too long"),
    ]) func slowStatementsAreCanceled(lockTimeout: Int, statementTimeout: Int, text: String) async throws {
        let settings = self.settings {
            $0.lockTimeoutMilliseconds = lockTimeout
            $0.statementTimeoutMilliseconds = statementTimeout
        }
        try await withStore(settings) { store, database in
            // Whoever takes this lock first holds it until the store's statement has given up.
            let holder = try await PostgreSQLStore.open(url: database.url, settings: .patient)
            let holds = DispatchSemaphore(value: 0)
            let isDone = DispatchSemaphore(value: 0)
            async let holding: Void = holder.write { transaction in
                _ = try transaction.dataKeys()
                holds.signal()
                isDone.wait()
            }
            try await wait(for: holds)
            do {
                _ = try await store.write { try $0.dataKeys() }
                Issue.record("is not canceled")
            } catch StoreError.unavailable(let reason) {
                #expect(reason.contains(text), "\(reason)")
            }
            isDone.signal()
            try await holding
            _ = try await store.write { try $0.dataKeys() }
            await holder.close()
        }
    }

    @Test func callsBeyondTheBoundAreRefused() async throws {
        try await withStore(self.settings { $0.waitingMax = 2 }) { store, _ in
            let results = try await whileItsConnectionIsBusy(store) { mayEnd in
                await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            do {
                                try await store.read { _ in }
                                return true
                            } catch StoreError.unavailable(let text) {
                                #expect(text.contains("too many calls"))
                                mayEnd.signal()
                                return false
                            } catch {
                                return true
                            }
                        }
                    }
                    return await group.reduce(into: [Bool]()) { $0.append($1) }
                }
            }
            #expect(results.count { !$0 } == 1)
        }
    }
}

/// Runs a body while the one connection of a store is busy, until the semaphore is signaled.
func whileItsConnectionIsBusy<Value: Sendable>(
    _ store: PostgreSQLStore, _ body: (_ mayEnd: DispatchSemaphore) async throws -> Value
) async throws -> Value {
    let isRunning = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    async let running: Void = store.write { _ in
        isRunning.signal()
        mayEnd.wait()
    }
    try await wait(for: isRunning)
    do {
        let value = try await body(mayEnd)
        try await running
        return value
    } catch {
        mayEnd.signal()
        throw error
    }
}

/// Waits without blocking a thread of a pool.
func wait(for semaphore: DispatchSemaphore) async throws {
    try await onThread { semaphore.wait() }
}

/// Waits until it is so, or the test's time is over.
func until(_ isSo: () async throws -> Bool) async throws {
    while try await !isSo() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
