//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import Time

/// A transaction that notifies ``InterceptingStore`` of every record before it is written.
struct InterceptingTransaction: StoreTransaction {
    let base: any StoreTransaction
    let store: InterceptingStore

    func merchant(_ id: MerchantID) throws -> Merchant? { try self.base.merchant(id) }
    func merchant(named name: String) throws -> Merchant? { try self.base.merchant(named: name) }
    func merchants() throws -> [Merchant] { try self.base.merchants() }
    func account(dialect: DialectName, key: String) throws -> MerchantAccount? {
        try self.base.account(dialect: dialect, key: key)
    }
    func account(dialect: DialectName, merchant: MerchantID) throws -> MerchantAccount? {
        try self.base.account(dialect: dialect, merchant: merchant)
    }
    func appleCredentials(of merchant: MerchantID?) throws -> [AppleCredential] {
        try self.base.appleCredentials(of: merchant)
    }
    func payment(_ id: PaymentID) throws -> Payment? { try self.base.payment(id) }
    func payments(_ query: PaymentQuery) throws -> [Payment] { try self.base.payments(query) }
    func paymentsCount(_ query: PaymentQuery) throws -> Int { try self.base.paymentsCount(query) }
    func paymentID(ofOperation id: OperationID) throws -> PaymentID? { try self.base.paymentID(ofOperation: id) }
    func order(_ id: OrderID) throws -> Order? { try self.base.order(id) }
    func order(of merchant: MerchantID, dialect: DialectName, reference: String) throws -> Order? {
        try self.base.order(of: merchant, dialect: dialect, reference: reference)
    }
    func isTokenRemembered(transactionIdentifier: [UInt8], mode: Mode) throws -> Bool {
        try self.base.isTokenRemembered(transactionIdentifier: transactionIdentifier, mode: mode)
    }
    func keptItem(_ name: KeptItemName) throws -> KeptItem? { try self.base.keptItem(name) }
    func claim(_ key: IdempotencyKey) throws -> IdempotencyClaim? { try self.base.claim(key) }
    func operation(_ reference: Reference) throws -> OperationID? { try self.base.operation(reference) }
    func event(_ id: EventID) throws -> OutboxEvent? { try self.base.event(id) }
    func events(of payment: PaymentID) throws -> [OutboxEvent] { try self.base.events(of: payment) }
    func events(_ query: OutboxQuery) throws -> [OutboxEvent] { try self.base.events(query) }
    func jobs(_ kind: Job.Kind, limit: Int) throws -> [Job] { try self.base.jobs(kind, limit: limit) }
    func openWork() throws -> OpenWork { try self.base.openWork() }
    func job(_ kind: Job.Kind, of payment: PaymentID) throws -> Job? { try self.base.job(kind, of: payment) }
    func journal(of payment: PaymentID) throws -> [JournalEntry] { try self.base.journal(of: payment) }
    func paymentIDs(after: PaymentID?, limit: Int) throws -> [PaymentID] {
        try self.base.paymentIDs(after: after, limit: limit)
    }
    func ledgerSums() throws -> [LedgerBalances.Key: LedgerBalances.Sums] { try self.base.ledgerSums() }

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

    func delete(_ name: KeptItemName) throws { try self.base.delete(name) }

    func deleteKeptItems(expiredBy now: Timestamp) throws { try self.base.deleteKeptItems(expiredBy: now) }

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

    func delete(_ kind: Job.Kind, of payment: PaymentID) throws { try self.base.delete(kind, of: payment) }

    func lease(_ kind: Job.Kind, dueBy now: Timestamp, until leaseEnd: Timestamp, limit: Int) throws -> [Job] {
        try self.base.lease(kind, dueBy: now, until: leaseEnd, limit: limit)
    }

    func makeDue(_ kind: Job.Kind, at now: Timestamp, dueBy latest: Timestamp?) throws {
        try self.base.makeDue(kind, at: now, dueBy: latest)
    }
}
