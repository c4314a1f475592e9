//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

/// A store between the gateway and the real one, which fails where a test wants it to and remembers what was written.
final class InterceptingStore: PaymentStore {
    /// When a write fails.
    enum Failure: Sendable {
        /// Nothing of it is kept.
        case beforeCommit
        /// It is kept, and yet the caller gets the error that it failed: a connection lost while the commit was
        /// acknowledged.
        case afterCommit
    }

    struct State: Sendable {
        var writesCount = 0
        var readsCount = 0
        /// How often a transaction has read a payment.
        var paymentsReadCount = 0
        /// What happens to a write, by its number since the last ``InterceptingStore/plan(_:)``, from 1.
        var plan: @Sendable (Int) -> Failure? = { _ in nil }
        var isReadable = true
        /// Fails when a transaction writes a record of that kind.
        var failingRecord: String?
        /// A payment whose rows contradict themselves.
        var corrupt: PaymentID?
        /// A dump of every record that was ever handed to the store.
        var records: [String] = []
        var keepsRecords = false
    }

    let base: any PaymentStore
    let state = Mutex(State())

    init(_ base: any PaymentStore) {
        self.base = base
    }

    /// From here on, writes and reads are counted anew, and writes fail as planned.
    func plan(_ plan: @escaping @Sendable (Int) -> Failure?) {
        self.state.withLock { state in
            state.writesCount = 0
            state.readsCount = 0
            state.paymentsReadCount = 0
            state.plan = plan
        }
    }

    func failRecords(of kind: String?) {
        self.state.withLock { $0.failingRecord = kind }
    }

    func setReadable(_ isReadable: Bool) {
        self.state.withLock { $0.isReadable = isReadable }
    }

    func keepRecords() {
        self.state.withLock { $0.keepsRecords = true }
    }

    var records: [String] { self.state.withLock { $0.records } }

    var writesCount: Int { self.state.withLock { $0.writesCount } }
    var readsCount: Int { self.state.withLock { $0.readsCount } }
    var paymentsReadCount: Int { self.state.withLock { $0.paymentsReadCount } }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        let failure = self.state.withLock { state in
            state.writesCount += 1
            return state.plan(state.writesCount)
        }
        if failure == .beforeCommit { throw StoreError.unavailable("the test has failed this write") }
        let value = try await self.base.write { try body(InterceptingTransaction(base: $0, store: self)) }
        if failure == .afterCommit { throw StoreError.unavailable("the test has lost this commit's answer") }
        return value
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        let isReadable = self.state.withLock { state in
            state.readsCount += 1
            return state.isReadable
        }
        guard isReadable else { throw StoreError.unavailable("the test has failed reads") }
        return try await self.base.read(body)
    }

    func corrupt(_ payment: PaymentID?) {
        self.state.withLock { $0.corrupt = payment }
    }

    /// Called before a payment is read within a write.
    func noteRead(_ payment: PaymentID) throws {
        try self.state.withLock { state in
            state.paymentsReadCount += 1
            if state.corrupt == payment { throw StoreError.corrupt("operations.minor_units") }
        }
    }

    /// Called before a record is written.
    func note(_ record: some Any) throws {
        let kind = String(describing: type(of: record))
        try self.state.withLock { state in
            if state.failingRecord == kind { throw StoreError.unavailable("the test has failed this record") }
            guard state.keepsRecords else { return }
            var text = ""
            dump(record, to: &text)
            state.records.append("\(kind): \(record)\n\(text)")
        }
    }
}
