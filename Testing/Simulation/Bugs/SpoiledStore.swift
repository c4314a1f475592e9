//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

/// A store with a bug, or none.
final class SpoiledStore: PaymentStore {
    /// Undoes a body whose commit is forgotten.
    private struct Forgotten: Error {}

    private let base: any PaymentStore
    private let bug: PlantedBug?
    private let writesCount = Mutex(0)

    init(_ base: any PaymentStore, bug: PlantedBug?) {
        self.base = base
        self.bug = bug
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        guard let bug = self.bug else { return try await self.base.write(body) }
        let count = self.writesCount.withLock { count in
            count += 1
            return count
        }
        guard bug == .storeForgetsCommits, count.isMultiple(of: 11) else {
            return try await self.base.write { try body(SpoiledTransaction(base: $0, bug: bug)) }
        }
        let value = Mutex<Value?>(nil)
        do {
            try await self.base.write { transaction in
                let made = try body(transaction)
                value.withLock { $0 = made }
                throw Forgotten()
            }
        } catch is Forgotten {}
        guard let made = value.withLock({ $0 }) else { throw StoreError.unavailable("no value") }
        return made
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await self.base.read(body)
    }
}
