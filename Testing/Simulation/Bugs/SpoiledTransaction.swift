//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import TestGateway
import Time

/// A transaction that forgets what its bug says.
struct SpoiledTransaction: ForwardingTransaction {
    let base: any StoreTransaction
    let bug: PlantedBug

    func payment(_ id: PaymentID) throws -> Payment? {
        guard self.bug == .storeForgetsVersions, let payment = try self.base.payment(id), payment.version > 2 else {
            return try self.base.payment(id)
        }
        let stale = payment.asOf(version: payment.version - 1)
        return Payment(
            id: stale.id, merchantID: stale.merchantID, mode: stale.mode, dialect: stale.dialect,
            acquirer: stale.acquirer, accountID: stale.accountID, orderID: stale.orderID, amount: stale.amount,
            instrument: stale.instrument, createdAt: stale.createdAt, version: payment.version,
            operations: stale.operations)
    }

    func claim(_ key: IdempotencyKey) throws -> IdempotencyClaim? {
        self.bug == .storeForgetsClaims ? nil : try self.base.claim(key)
    }

    func insert(_ claim: IdempotencyClaim) throws {
        if self.bug == .storeForgetsClaims { return }
        try self.base.insert(claim)
    }

    func rememberToken(
        transactionIdentifier: [UInt8], mode: Mode, payment: PaymentID, at now: Timestamp
    ) throws -> Bool {
        if self.bug == .storeForgetsTokens { return true }
        return try self.base.rememberToken(
            transactionIdentifier: transactionIdentifier, mode: mode, payment: payment, at: now)
    }

    func insert(_ event: OutboxEvent) throws {
        if self.bug == .storeForgetsEvents, event.kind == .captureSucceeded { return }
        try self.base.insert(event)
    }

    func events(of payment: PaymentID) throws -> [OutboxEvent] {
        let events = try self.base.events(of: payment)
        return self.bug == .webhooksOvertake ? events.reversed() : events
    }
}
