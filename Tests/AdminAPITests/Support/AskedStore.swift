//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization
import TestGateway

/// By what names payments were asked for, question by question.
final class AskedNames: Sendable {
    private let names = Mutex<[PaymentQuery.OperationName]>([])

    func note(_ name: PaymentQuery.OperationName) { self.names.withLock { $0.append(name) } }

    /// Those since the last time.
    func take() -> [PaymentQuery.OperationName] {
        self.names.withLock { names in
            defer { names = [] }
            return names
        }
    }
}

/// Notes by what names payments are asked for.
struct AskedStore: PaymentStore {
    private let base: any PaymentStore
    private let asked: AskedNames

    init(_ base: any PaymentStore, _ asked: AskedNames) {
        self.base = base
        self.asked = asked
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value { try await self.base.write(body) }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        try await self.base.read { [asked] in try body(AskedReader(base: $0, asked: asked)) }
    }
}

private struct AskedReader: ForwardingReader {
    let base: any StoreReader
    let asked: AskedNames

    func payments(_ query: PaymentQuery) throws -> [Payment] {
        if let name = query.operationName { self.asked.note(name) }
        return try self.base.payments(query)
    }
}
