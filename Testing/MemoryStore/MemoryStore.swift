//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Synchronization

/// Payments in memory, for tests: gone with the object, and with the same laws as any other store (see
/// `StoreConformance`).
///
/// One body writes at a time. What a body that throws has written is undone step by step; reads see a snapshot.
public final class MemoryStore: PaymentStore {
    private let state = Mutex(MemoryState())

    public init() {}

    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        try self.state.withLock { state in
            // Moved, not copied: a second reference would make every table copy itself when it is written to.
            let transaction = MemoryTransaction(moving: &state)
            defer { state = transaction.state }
            do {
                let value = try body(transaction)
                try transaction.checkReferences()
                return value
            } catch {
                transaction.undoAll()
                throw error
            }
        }
    }

    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try body(MemoryReader(state: self.state.withLock { $0 }))
    }
}
