//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// The store as a process sees it: over a network, with somebody else at it between any two calls, and not always there.
struct NodeStore: PaymentStore {
    /// Undoes a first run of a body.
    private struct RunAgain: Error {}

    let process: NodeProcess
    let world: World

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        let isSlow = self.world.strikes(.storeSlow, percent: \.slowWrites, self.process.name)
        try await self.travel(isSlow ? 1000...40_000 : 0...3)
        if self.world.strikes(.storeRefusedWrite, percent: \.storeRefusals, self.process.name) {
            throw StoreError.unavailable("the simulation refuses this write")
        }
        // A store may run a body again that has met another's (``PaymentStore/write(_:)``).
        if self.world.strikes(.storeBodyRunTwice, percent: \.secondRuns, self.process.name) {
            do {
                try await self.world.store.write { transaction in
                    _ = try body(transaction)
                    throw RunAgain()
                }
            } catch is RunAgain {}
        }
        let value = try await self.world.store.write(body)
        try await self.travel(0...3)
        if self.world.strikes(.storeCommitUnknown, percent: \.unknownCommits, self.process.name) {
            throw StoreError.unavailable("the simulation has lost this commit's answer")
        }
        return value
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await self.travel(0...2)
        if self.world.strikes(.storeRefusedRead, percent: \.storeRefusals, self.process.name) {
            throw StoreError.unavailable("the simulation refuses this read")
        }
        let value = try await self.world.store.read(body)
        try await self.travel(0...2)
        return value
    }

    private func travel(_ milliseconds: ClosedRange<Int64>) async throws {
        // A cancelled task's call goes on all the same, as a transaction does.
        try? await self.world.sleep(milliseconds: milliseconds)
        guard self.process.isAlive else { throw StoreError.unavailable("the process has ended") }
    }
}
