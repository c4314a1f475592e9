//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

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

    /// Writes a connector's memo on an operation, over an earlier one.
    func upsert(_ memo: StoredMemo) throws
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
