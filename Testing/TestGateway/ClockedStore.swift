//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Time

/// A store with a clock of its own, as that of a database server.
public struct ClockedStore: PaymentStore {
    private let base: any PaymentStore
    private let time: @Sendable () -> Timestamp

    public init(_ base: any PaymentStore, time: @escaping @Sendable () -> Timestamp) {
        self.base = base
        self.time = time
    }

    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        try await self.base.write { [time] in try body(ClockedTransaction(base: $0, time: time)) }
    }

    public func write<Value: Sendable>(
        expecting lookups: ExpectedLookups, _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        try await self.base.write(expecting: lookups) { [time] in try body(ClockedTransaction(base: $0, time: time)) }
    }

    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await self.base.read { [time] in try body(ClockedReader(base: $0, time: time)) }
    }
}

private struct ClockedTransaction: ForwardingTransaction {
    let base: any StoreTransaction
    let time: @Sendable () -> Timestamp

    func storeTime() throws -> Timestamp? { self.time() }
}

private struct ClockedReader: ForwardingReader {
    let base: any StoreReader
    let time: @Sendable () -> Timestamp

    func storeTime() throws -> Timestamp? { self.time() }
}
