//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// A law that a store has broken.
public struct ConformanceFailure: Error, CustomStringConvertible {
    public let law: StoreLaw
    public let what: String
    public let line: Int

    public var description: String { "\(self.law.rawValue): \(self.what) (line \(self.line))" }
}

/// One law on one store.
struct Trial: Sendable {
    let law: StoreLaw
    let store: any PaymentStore
    let make = Fixtures()

    func expect(_ condition: Bool, _ what: String, line: Int = #line) throws {
        guard condition else { throw ConformanceFailure(law: self.law, what: what, line: line) }
    }

    func expectEqual<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String, line: Int = #line) throws {
        try self.expect(found == wanted, "\(what): found \(found), wanted \(wanted)", line: line)
    }

    /// Expects that a read finds a value.
    func expectStored<Value: Equatable & Sendable>(
        _ wanted: Value, _ what: String, line: Int = #line,
        _ read: @escaping @Sendable (any StoreReader) throws -> Value?
    ) async throws {
        try self.expectEqual(try await self.store.read { try read($0) }, .some(wanted), what, line: line)
    }

    /// Expects that a body of `write` is refused with an error of the store's own.
    func expectRefusal(
        _ wanted: StoreError, _ what: String, line: Int = #line,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Void
    ) async throws {
        do {
            try await self.store.write(body)
        } catch let error as StoreError {
            return try self.expectEqual(error, wanted, what, line: line)
        }
        try self.expect(false, "\(what) is not refused", line: line)
    }

    /// Expects that a body of `write` is refused because rows would contradict each other.
    func expectCorrupt(
        _ what: String, line: Int = #line, _ body: @escaping @Sendable (any StoreTransaction) throws -> Void
    ) async throws {
        do {
            try await self.store.write(body)
        } catch StoreError.corrupt {
            return
        }
        try self.expect(false, "\(what) is not refused", line: line)
    }

    /// A merchant that the store has, with his account.
    func storedMerchant(mode: Mode = .sandbox) async throws -> Merchant {
        let merchant = self.make.merchant(mode: mode)
        try await self.store.write { try self.insert(merchant, in: $0) }
        return merchant
    }

    /// Inserts a merchant and his account.
    func insert(_ merchant: Merchant, in transaction: any StoreTransaction) throws {
        try transaction.insert(merchant)
        try transaction.insert(self.make.account(of: merchant))
    }

    /// A payment that the store has, authorized and captured whole.
    func storedSale(minorUnits: Int64) async throws -> Payment {
        try await self.storedSale(minorUnits: minorUnits, of: try await self.storedMerchant())
    }

    func storedSale(minorUnits: Int64, of merchant: Merchant) async throws -> Payment {
        let payment = try self.make.payment(of: merchant, minorUnits: minorUnits, isSale: true)
        let authorization = payment.operations[0]
        let change = try payment.transition(
            on: .resolve(authorization.id, .succeeded(approved: payment.amount, AcquirerAnswer())), at: self.make.time()
        )
        try await self.store.write { transaction in
            try transaction.insert(payment)
            try transaction.update(change, from: payment.version)
        }
        return change.payment
    }
}
