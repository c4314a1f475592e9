//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
public import Time

/// Where payments are kept.
///
/// All writing is one method that runs a body inside a transaction: the body sees a consistent state, nothing of it is
/// kept when it throws, and all of it is durable when the call returns. The body is synchronous, may run more than once
/// (a serialization failure), and so has no effect but on the transaction.
public protocol PaymentStore: Sendable {
    /// - Throws: ``StoreError``, or what the body throws.
    func write<Value: Sendable>(_ body: @escaping @Sendable (any StoreTransaction) throws -> Value) async throws
        -> Value

    /// Runs a body on a consistent state without changing it.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any StoreReader) throws -> Value) async throws -> Value
}

/// Narrow reads.
public protocol StoreReader {
    func merchant(_ id: MerchantID) throws -> Merchant?
    func merchant(named name: String) throws -> Merchant?
    /// All merchants, oldest first.
    func merchants() throws -> [Merchant]
    /// The account that the wire calls so, by its key or an alias.
    func account(dialect: DialectName, key: String) throws -> MerchantAccount?
    func account(dialect: DialectName, merchant: MerchantID) throws -> MerchantAccount?
    /// The merchant's accounts in dialects, by the dialects' names.
    func accounts(of merchant: MerchantID) throws -> [MerchantAccount]
    func acquirerAccount(_ id: AcquirerAccountID) throws -> AcquirerAccount?
    /// The merchant's accounts with acquirers, oldest first.
    func acquirerAccounts(of merchant: MerchantID) throws -> [AcquirerAccount]
    /// The merchant's routes, by their numbers.
    func routes(of merchant: MerchantID) throws -> [Route]
    /// The merchant's Apple credentials, oldest first; of all merchants for `nil`.
    func appleCredentials(of merchant: MerchantID?) throws -> [AppleCredential]
    /// Oldest first. The last one seals.
    func dataKeys() throws -> [SealedDataKey]
    /// How many values are sealed under each data key, by its id; a key that seals none may be left out.
    func sealedCounts() throws -> [String: Int]
    /// Values of a kind that are sealed under another data key than that, in an order of the store's own, from after a
    /// place on.
    func sealedValues(
        _ kind: SealedPlace.Kind, notUnder keyID: String, after place: SealedPlace?, limit: Int
    ) throws -> [SealedValue]
    /// What the gateway keeps for itself under a name.
    func storeSecret(_ name: String) throws -> SealedBytes?

    /// Entries with a higher number, in the order of their numbers.
    func auditEntries(after number: Int64, limit: Int) throws -> [AuditEntry]
    /// The entry with the highest number. In a body of `write`, nobody else appends until it has ended.
    func lastAuditEntry() throws -> AuditEntry?

    func payment(_ id: PaymentID) throws -> Payment?
    /// Payments that fit, in the query's order.
    func payments(_ query: PaymentQuery) throws -> [Payment]
    func paymentsCount(_ query: PaymentQuery) throws -> Int
    /// What was resolved, in the order of its time.
    func movements(_ query: MovementQuery) throws -> [Movement]
    /// The payment that has the operation.
    func paymentID(ofOperation id: OperationID) throws -> PaymentID?
    func order(_ id: OrderID) throws -> Order?
    /// The order that the merchant calls so; unique among the merchant's orders of a dialect.
    func order(of merchant: MerchantID, dialect: DialectName, reference: String) throws -> Order?
    func claim(_ key: IdempotencyKey) throws -> IdempotencyClaim?
    /// Whether a payment has used an Apple transaction identifier of a mode.
    func isTokenRemembered(transactionIdentifier: [UInt8], mode: Mode) throws -> Bool
    /// What a reference names.
    func operation(_ reference: Reference) throws -> OperationID?

    func keptItem(_ name: KeptItemName) throws -> KeptItem?

    func event(_ id: EventID) throws -> OutboxEvent?
    /// The payment's events, oldest first.
    func events(of payment: PaymentID) throws -> [OutboxEvent]
    /// Events that fit, newest first.
    func events(_ query: OutboxQuery) throws -> [OutboxEvent]
    /// Jobs of a kind by due time, earliest first.
    func jobs(_ kind: Job.Kind, limit: Int) throws -> [Job]
    func job(_ kind: Job.Kind, of payment: PaymentID) throws -> Job?
    /// What is open, counted without a walk over what is not.
    func openWork() throws -> OpenWork

    /// The journal entries about a payment, in the order booked.
    func journal(of payment: PaymentID) throws -> [JournalEntry]
    /// A page of all journal entries' subjects: payment ids after the given one in id order.
    func paymentIDs(after: PaymentID?, limit: Int) throws -> [PaymentID]
    /// Debits and credits over all rows by account, layer and currency.
    func ledgerSums() throws -> [LedgerBalances.Key: LedgerBalances.Sums]
}

/// Reads and writes. Every write keeps the store's invariants or throws.
public protocol StoreTransaction: StoreReader {
    /// - Throws: ``StoreError/duplicate(_:)`` for a name or an id that is taken.
    func insert(_ merchant: Merchant) throws
    /// Writes the merchant's `displayName`, `countryCode` and `state`.
    func update(_ merchant: Merchant) throws
    /// - Throws: ``StoreError/duplicate(_:)`` for a name that another account of the merchant has.
    func insert(_ account: AcquirerAccount) throws
    /// Writes the account's `acceptor`, `settings`, `secrets` and `state`.
    func update(_ account: AcquirerAccount) throws
    /// Writes a merchant's routes in the place of those that it has.
    func replaceRoutes(of merchant: MerchantID, with routes: [Route]) throws
    /// Writes the account of a merchant in a dialect, over an earlier one.
    func upsert(_ account: MerchantAccount) throws
    /// Writes a credential, over an earlier one with the same id of the same merchant.
    func upsert(_ credential: AppleCredential) throws
    func insert(_ dataKey: SealedDataKey) throws
    /// Writes the data key's box, if the store has the key.
    func update(_ dataKey: SealedDataKey) throws
    /// Makes sure that a data key is there and stays until the transaction has ended: for whoever writes what was sealed
    /// under it.
    /// - Throws: ``StoreError/dataKeyGone``.
    func holdDataKey(_ id: String) throws
    /// Deletes a data key, if nothing is sealed under it. Waits for transactions that hold it.
    /// - Returns: whether it is gone.
    func deleteDataKey(_ id: String) throws -> Bool
    /// Writes a value sealed anew in the place of the same value, if it is there as it was.
    /// - Returns: whether it was.
    @discardableResult
    func reseal(_ value: SealedValue, as bytes: SealedBytes) throws -> Bool
    /// - Throws: ``StoreError/duplicate(_:)`` for a name that is taken.
    func insertStoreSecret(_ name: String, _ bytes: SealedBytes) throws

    /// Writes an entry, which is never changed again.
    /// - Throws: ``StoreError/conflict`` when it does not follow the last one.
    func append(_ entry: AuditEntry) throws

    /// - Throws: ``StoreError/duplicate(_:)``.
    func insert(_ payment: Payment) throws
    /// Writes a change: the payment, which must be one version or more after the stored one, and what the ledger books
    /// for it.
    /// - Throws: ``StoreError/conflict`` when the stored version is not `version`.
    func update(_ change: PaymentChange, from version: Int) throws
    /// - Throws: ``StoreError/duplicate(_:)`` for an id or a reference that is taken.
    func insert(_ order: Order) throws
    /// Writes the order's `canceledAt` and `paymentID`.
    func update(_ order: Order) throws

    /// - Throws: ``StoreError/duplicate(_:)`` for a key that is claimed.
    func insert(_ claim: IdempotencyClaim) throws
    /// - Throws: ``StoreError/duplicate(_:)`` for a reference that is taken.
    func insert(_ reference: Reference, operation: OperationID) throws
    /// Remembers for ever that a payment has used an Apple transaction identifier up.
    /// - Returns: whether it was still to be used in its mode: it is new, or whoever has used it was not processed by the
    ///   acquirer (``PaymentState/notProcessed``), and it is this payment's now.
    func rememberToken(transactionIdentifier: [UInt8], mode: Mode, payment: PaymentID, at: Timestamp) throws -> Bool

    /// Writes an item, over an earlier one of its name.
    func upsert(_ item: KeptItem) throws
    func delete(_ name: KeptItemName) throws
    /// Deletes what has expired by then.
    func deleteKeptItems(expiredBy now: Timestamp) throws

    func insert(_ event: OutboxEvent) throws
    /// Writes the event's `state`, `messageIndex`, `attemptsCount` and `lastResult`.
    func update(_ event: OutboxEvent) throws

    /// Makes the job due no later than `job.dueAt`; an existing one keeps its count and the earlier of both times.
    func schedule(_ job: Job) throws
    /// Writes the job's `dueAt` and `attemptsCount`, if it exists.
    func update(_ job: Job) throws
    func delete(_ kind: Job.Kind, of payment: PaymentID) throws
    /// Takes due jobs: each is counted and made due again at `leaseEnd`, so that nobody else takes it until then.
    func lease(_ kind: Job.Kind, dueBy now: Timestamp, until leaseEnd: Timestamp, limit: Int) throws -> [Job]
    /// Makes jobs of a kind due, as when the worker that had taken them is gone, or the clock has been set back.
    ///
    /// - Parameter latest: jobs that are due later than that stay as they are; `nil` for all.
    func makeDue(_ kind: Job.Kind, at now: Timestamp, dueBy latest: Timestamp?) throws
}

extension StoreTransaction {
    /// Makes every job of a kind due.
    public func makeDue(_ kind: Job.Kind, at now: Timestamp) throws {
        try self.makeDue(kind, at: now, dueBy: nil)
    }
}

/// What a store may refuse or fail with.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is unique is taken; the text names the thing ("merchant name"), never its value.
    case duplicate(String)
    /// Somebody else has changed it since it was read.
    case conflict
    /// The data key under which something was sealed has been retired: seal it again under the one that there is now.
    case dataKeyGone
    /// The rows contradict each other or this program; the text names the table and column.
    case corrupt(String)
    /// The store cannot be reached or written to now (disk full, closed, locked).
    case unavailable(String)

    public var description: String {
        switch self {
        case .duplicate(let what): "the store has that \(what) already"
        case .conflict: "the payment has changed since it was read"
        case .dataKeyGone: "the data key has been retired"
        case .corrupt(let what): "the store holds something that cannot be right: \(what)"
        case .unavailable(let what): "the store is not available: \(what)"
        }
    }
}
