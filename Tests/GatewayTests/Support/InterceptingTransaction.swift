//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import TestGateway
import Time

/// A transaction that notifies ``InterceptingStore`` of every record before it is written.
struct InterceptingTransaction: ForwardingTransaction {
    let base: any StoreTransaction
    let store: InterceptingStore

    func payment(_ id: PaymentID) throws -> Payment? {
        try self.store.noteRead(id)
        return try self.base.payment(id)
    }

    func insert(_ merchant: Merchant) throws {
        try self.store.note(merchant)
        try self.base.insert(merchant)
    }

    func upsert(_ account: MerchantAccount) throws {
        try self.store.note(account)
        try self.base.upsert(account)
    }

    func upsert(_ credential: AppleCredential) throws {
        try self.store.note(credential)
        try self.base.upsert(credential)
    }

    func insert(_ payment: Payment) throws {
        try self.store.note(payment)
        try self.base.insert(payment)
    }

    func update(_ change: PaymentChange, from version: Int) throws {
        try self.store.note(change)
        try self.base.update(change, from: version)
    }

    func insert(_ order: Order) throws {
        try self.store.note(order)
        try self.base.insert(order)
    }

    func update(_ order: Order) throws {
        try self.store.note(order)
        try self.base.update(order)
    }

    func insert(_ claim: IdempotencyClaim) throws {
        try self.store.note(claim)
        try self.base.insert(claim)
    }

    func insert(_ reference: Reference, operation: OperationID) throws {
        try self.store.note(reference)
        try self.base.insert(reference, operation: operation)
    }

    func rememberToken(
        transactionIdentifier: [UInt8], mode: Mode, payment: PaymentID, at now: Timestamp
    ) throws -> Bool {
        try self.store.note(transactionIdentifier)
        return try self.base.rememberToken(
            transactionIdentifier: transactionIdentifier, mode: mode, payment: payment, at: now)
    }

    func upsert(_ item: KeptItem) throws {
        try self.store.note(item)
        try self.base.upsert(item)
    }

    func insert(_ event: OutboxEvent) throws {
        try self.store.note(event)
        try self.base.insert(event)
    }

    func update(_ event: OutboxEvent) throws {
        try self.store.note(event)
        try self.base.update(event)
    }

    func schedule(_ job: Job) throws {
        try self.store.note(job)
        try self.base.schedule(job)
    }

    func update(_ job: Job) throws {
        try self.store.note(job)
        try self.base.update(job)
    }
}
