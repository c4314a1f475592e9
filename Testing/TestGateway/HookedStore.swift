//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Synchronization

/// Does something before one of its writes.
public final class HookedStore: PaymentStore {
    private let base: any PaymentStore
    private let hook = Mutex<(left: Int, body: @Sendable () async -> Void)?>(nil)

    public init(_ base: any PaymentStore) {
        self.base = base
    }

    /// - Parameter number: which of the writes from now on, from 1.
    public func beforeWrite(_ number: Int, _ body: @escaping @Sendable () async -> Void) {
        self.hook.withLock { $0 = (number, body) }
    }

    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        let due = self.hook.withLock { hook -> (@Sendable () async -> Void)? in
            hook?.left -= 1
            guard let planned = hook, planned.left == 0 else { return nil }
            hook = nil
            return planned.body
        }
        await due?()
        return try await self.base.write(body)
    }

    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await self.base.read(body)
    }
}
