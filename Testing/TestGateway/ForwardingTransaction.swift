//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
public import Payments
public import Time

/// A reader that reads from another one, but for what it says itself.
public protocol ForwardingReader: StoreReader {
    associatedtype Base
    var base: Base { get }
    /// Where what it does not say itself comes from.
    var reader: any StoreReader { get }
}

/// A transaction that hands on to another one, but for what it says itself.
public protocol ForwardingTransaction: ForwardingReader, StoreTransaction where Base == any StoreTransaction {}

extension ForwardingTransaction {
    public var reader: any StoreReader { self.base }
}

extension ForwardingReader where Base == any StoreReader {
    public var reader: any StoreReader { self.base }
}

extension ForwardingReader {
    public func merchant(_ id: MerchantID) throws -> Merchant? { try self.reader.merchant(id) }
    public func merchant(named name: String) throws -> Merchant? { try self.reader.merchant(named: name) }
    public func merchants() throws -> [Merchant] { try self.reader.merchants() }
    public func account(dialect: DialectName, key: String) throws -> MerchantAccount? {
        try self.reader.account(dialect: dialect, key: key)
    }
    public func account(dialect: DialectName, merchant: MerchantID) throws -> MerchantAccount? {
        try self.reader.account(dialect: dialect, merchant: merchant)
    }
    public func accounts(of merchant: MerchantID) throws -> [MerchantAccount] { try self.reader.accounts(of: merchant) }
    public func acquirerAccount(_ id: AcquirerAccountID) throws -> AcquirerAccount? {
        try self.reader.acquirerAccount(id)
    }
    public func acquirerAccounts(of merchant: MerchantID) throws -> [AcquirerAccount] {
        try self.reader.acquirerAccounts(of: merchant)
    }
    public func routes(of merchant: MerchantID) throws -> [Route] { try self.reader.routes(of: merchant) }
    public func appleCredentials(of merchant: MerchantID?) throws -> [AppleCredential] {
        try self.reader.appleCredentials(of: merchant)
    }
    public func dataKeys() throws -> [SealedDataKey] { try self.reader.dataKeys() }
    public func sealedCounts() throws -> [String: Int] { try self.reader.sealedCounts() }
    public func sealedValues(
        _ kind: SealedPlace.Kind, notUnder keyID: String, after place: SealedPlace?, limit: Int
    ) throws -> [SealedValue] {
        try self.reader.sealedValues(kind, notUnder: keyID, after: place, limit: limit)
    }
    public func storeSecret(_ name: String) throws -> SealedBytes? { try self.reader.storeSecret(name) }
    public func auditEntries(after number: Int64, limit: Int) throws -> [AuditEntry] {
        try self.reader.auditEntries(after: number, limit: limit)
    }
    public func lastAuditEntry() throws -> AuditEntry? { try self.reader.lastAuditEntry() }
    public func payment(_ id: PaymentID) throws -> Payment? { try self.reader.payment(id) }
    public func payments(_ query: PaymentQuery) throws -> [Payment] { try self.reader.payments(query) }
    public func paymentsCount(_ query: PaymentQuery) throws -> Int { try self.reader.paymentsCount(query) }
    public func movements(_ query: MovementQuery) throws -> [Movement] { try self.reader.movements(query) }
    public func movementEntry(_ place: MovementQuery.Cursor, of merchant: MerchantID) throws -> MovementEntry? {
        try self.reader.movementEntry(place, of: merchant)
    }
    public func movementEntriesCount() throws -> Int { try self.reader.movementEntriesCount() }
    public func paymentID(ofOperation id: OperationID) throws -> PaymentID? {
        try self.reader.paymentID(ofOperation: id)
    }
    public func order(_ id: OrderID) throws -> Order? { try self.reader.order(id) }
    public func order(of merchant: MerchantID, dialect: DialectName, reference: String) throws -> Order? {
        try self.reader.order(of: merchant, dialect: dialect, reference: reference)
    }
    public func claim(_ key: IdempotencyKey) throws -> IdempotencyClaim? { try self.reader.claim(key) }
    public func isTokenRemembered(transactionIdentifier: [UInt8], mode: Mode) throws -> Bool {
        try self.reader.isTokenRemembered(transactionIdentifier: transactionIdentifier, mode: mode)
    }
    public func operation(_ reference: Reference) throws -> OperationID? { try self.reader.operation(reference) }
    public func memos(of payment: PaymentID) throws -> [StoredMemo] { try self.reader.memos(of: payment) }
    public func keptItem(_ name: KeptItemName) throws -> KeptItem? { try self.reader.keptItem(name) }
    public func event(_ id: EventID) throws -> OutboxEvent? { try self.reader.event(id) }
    public func events(of payment: PaymentID) throws -> [OutboxEvent] { try self.reader.events(of: payment) }
    public func events(_ query: OutboxQuery) throws -> [OutboxEvent] { try self.reader.events(query) }
    public func jobs(_ kind: Job.Kind, limit: Int) throws -> [Job] { try self.reader.jobs(kind, limit: limit) }
    public func job(_ kind: Job.Kind, of payment: PaymentID) throws -> Job? { try self.reader.job(kind, of: payment) }
    public func openWork() throws -> OpenWork { try self.reader.openWork() }
    public func journal(of payment: PaymentID) throws -> [JournalEntry] { try self.reader.journal(of: payment) }
    public func paymentIDs(after: PaymentID?, limit: Int) throws -> [PaymentID] {
        try self.reader.paymentIDs(after: after, limit: limit)
    }
    public func ledgerSums() throws -> [LedgerBalances.Key: LedgerBalances.Sums] { try self.reader.ledgerSums() }
}

extension ForwardingTransaction {
    public func insert(_ merchant: Merchant) throws { try self.base.insert(merchant) }
    public func update(_ merchant: Merchant) throws { try self.base.update(merchant) }
    public func insert(_ account: AcquirerAccount) throws { try self.base.insert(account) }
    public func update(_ account: AcquirerAccount) throws { try self.base.update(account) }
    public func replaceRoutes(of merchant: MerchantID, with routes: [Route]) throws {
        try self.base.replaceRoutes(of: merchant, with: routes)
    }
    public func upsert(_ account: MerchantAccount) throws { try self.base.upsert(account) }
    public func upsert(_ credential: AppleCredential) throws { try self.base.upsert(credential) }
    public func insert(_ dataKey: SealedDataKey) throws { try self.base.insert(dataKey) }
    public func update(_ dataKey: SealedDataKey) throws { try self.base.update(dataKey) }
    public func holdDataKey(_ id: String) throws { try self.base.holdDataKey(id) }
    public func deleteDataKey(_ id: String) throws -> Bool { try self.base.deleteDataKey(id) }
    @discardableResult
    public func reseal(_ value: SealedValue, as bytes: SealedBytes) throws -> Bool {
        try self.base.reseal(value, as: bytes)
    }
    public func insertStoreSecret(_ name: String, _ bytes: SealedBytes) throws {
        try self.base.insertStoreSecret(name, bytes)
    }
    public func append(_ entry: AuditEntry) throws { try self.base.append(entry) }
    public func insert(_ payment: Payment) throws { try self.base.insert(payment) }
    public func update(_ change: PaymentChange, from version: Int) throws {
        try self.base.update(change, from: version)
    }
    public func insert(_ order: Order) throws { try self.base.insert(order) }
    public func update(_ order: Order) throws { try self.base.update(order) }
    public func insert(_ claim: IdempotencyClaim) throws { try self.base.insert(claim) }
    public func insert(_ reference: Reference, operation: OperationID) throws {
        try self.base.insert(reference, operation: operation)
    }
    public func rememberToken(
        transactionIdentifier: [UInt8], mode: Mode, payment: PaymentID, at: Timestamp
    ) throws -> Bool {
        try self.base.rememberToken(transactionIdentifier: transactionIdentifier, mode: mode, payment: payment, at: at)
    }
    public func upsert(_ memo: StoredMemo) throws { try self.base.upsert(memo) }
    public func upsert(_ item: KeptItem) throws { try self.base.upsert(item) }
    public func delete(_ name: KeptItemName) throws { try self.base.delete(name) }
    public func deleteKeptItems(expiredBy now: Timestamp) throws { try self.base.deleteKeptItems(expiredBy: now) }
    public func insert(_ event: OutboxEvent) throws { try self.base.insert(event) }
    public func update(_ event: OutboxEvent) throws { try self.base.update(event) }
    public func schedule(_ job: Job) throws { try self.base.schedule(job) }
    public func update(_ job: Job) throws { try self.base.update(job) }
    public func delete(_ kind: Job.Kind, of payment: PaymentID) throws { try self.base.delete(kind, of: payment) }
    public func lease(_ kind: Job.Kind, dueBy now: Timestamp, until leaseEnd: Timestamp, limit: Int) throws -> [Job] {
        try self.base.lease(kind, dueBy: now, until: leaseEnd, limit: limit)
    }
    public func makeDue(_ kind: Job.Kind, at now: Timestamp, dueBy latest: Timestamp?) throws {
        try self.base.makeDue(kind, at: now, dueBy: latest)
    }
}
