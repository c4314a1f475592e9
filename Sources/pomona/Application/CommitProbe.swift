//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization
import Time

extension PaymentStore {
    /// Commits something, as a payment would, and leaves nothing of it: a transaction that changes nothing reaches neither a full
    /// disk nor a standby that is waited for.
    ///
    /// - Throws: `StoreError`.
    func proveCommit(_ surroundings: Surroundings) async throws {
        let now = surroundings.clock()
        let nobodys = PaymentID(at: now, random: surroundings.random(10))
        try await self.write { transaction in
            try transaction.schedule(Job(kind: .forget, paymentID: nobodys, dueAt: now))
            try transaction.delete(.forget, of: nobodys)
        }
    }
}

/// Whether a store takes commits, for whoever asks whether the gateway is ready. Anybody may ask that; while it does, it is
/// tried once a second at most.
final class CommitProbe: Sendable {
    private static let trustNanoseconds: Int64 = 1_000_000_000

    private let surroundings: Surroundings
    private let passedAt = Mutex<Int64?>(nil)

    init(_ surroundings: Surroundings) {
        self.surroundings = surroundings
    }

    func passes(_ store: any PaymentStore) async -> Bool {
        let now = self.surroundings.steadyNanoseconds()
        if let passed = self.passedAt.withLock({ $0 }), now - passed < Self.trustNanoseconds { return true }
        do {
            try await store.proveCommit(self.surroundings)
            self.passedAt.withLock { $0 = now }
            return true
        } catch {
            return false
        }
    }
}
