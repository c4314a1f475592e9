//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
public import Time

/// Reads and writes. Every write keeps the store's invariants or throws.
public protocol StoreTransaction: StoreReader {
    /// - Throws: ``StoreError/duplicate(_:)`` for a name or an id that is taken.
    func insert(_ merchant: Merchant) throws
    /// Writes the merchant's `displayName`, `countryCode`, `timeZone` and `state`.
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

    // People, where they are signed in, and what lets machines administer.

    /// - Throws: ``StoreError/duplicate(_:)`` for a user name or an external identity that another person has.
    func insert(_ person: Person) throws
    /// Writes all of the person but the id, the user name and when it was made.
    /// - Throws: ``StoreError/conflict`` when the stored version is not `version`.
    func update(_ person: Person, from version: Int) throws
    /// Deletes the person, with the second factor and all sessions.
    func delete(_ person: PersonID) throws
    /// Writes a person's second factor, over an earlier one.
    func upsert(_ factor: SecondFactor) throws
    func deleteSecondFactor(of person: PersonID) throws
    /// - Throws: ``StoreError/duplicate(_:)`` for an id or a digest that is taken.
    func insert(_ session: PersonSession) throws
    /// Writes the session's `lastSeenAt`, if it exists.
    func update(_ session: PersonSession) throws
    func delete(_ session: PersonSessionID) throws
    func deletePersonSessions(of person: PersonID) throws
    /// Deletes the sessions that have ended by then, those that were last seen before a moment, and those that were made or
    /// seen after another: by a clock that has been set back.
    func deletePersonSessions(endedBy now: Timestamp, unseenSince: Timestamp, seenAfter: Timestamp) throws
    /// - Throws: ``StoreError/duplicate(_:)`` for an id or a digest that is taken.
    func insert(_ token: AccessToken) throws
    /// Writes the token's `revokedAt` and `lastUsedAt`.
    func update(_ token: AccessToken) throws

    /// - Throws: ``StoreError/duplicate(_:)`` for a key that is claimed.
    func insert(_ claim: AdminClaim) throws
    /// Writes the claim's `answer`.
    func update(_ claim: AdminClaim) throws
    /// Deletes what has expired by then.
    func deleteAdminClaims(expiredBy now: Timestamp) throws

    // What waits for a second person, and merchants' domains.

    /// - Throws: ``StoreError/duplicate(_:)`` for an id that is taken.
    func insert(_ approval: Approval) throws
    /// Writes the approval's state, its decision and its outcome.
    func update(_ approval: Approval) throws
    /// Writes a part of an approval's content, over an earlier one.
    func upsert(_ content: ApprovalContent) throws
    func deleteApprovalContent(_ part: ApprovalContent.Part, of approval: ApprovalID) throws
    /// Writes a merchant's policy, or the house's, over an earlier one.
    func upsert(_ policy: ApprovalPolicy) throws
    /// Writes a domain, over an earlier one of the merchant's with its name.
    func upsert(_ domain: MerchantDomain) throws
    func deleteDomain(named name: String, of merchant: MerchantID) throws

    /// Writes an entry, which is never changed again.
    /// - Throws: ``StoreError/conflict`` when it does not follow the last one.
    func append(_ entry: AuditEntry) throws

    // Reports.

    /// Writes a closed day, which is never changed again.
    /// - Throws: ``StoreError/duplicate(_:)`` for a day that is closed.
    func insert(_ day: ClosedDay) throws
    /// - Throws: ``StoreError/duplicate(_:)`` for a file that the account has.
    func insert(_ file: SettlementFile) throws
    /// Writes an item of a file and what the ledger books for it.
    /// - Throws: ``StoreError/duplicate(_:)`` for an identity that the account has, or an operation that is settled.
    func insert(_ item: SettlementItem, booking entry: JournalEntry?) throws
    /// Writes the item's resolution and what the ledger books for it.
    /// - Throws: ``StoreError/conflict`` when it has one.
    func resolve(_ item: SettlementItem, booking entry: JournalEntry?) throws

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
    /// Deletes those of them that were made before a moment and whose operation has succeeded or failed. An order's claim
    /// stays, and in a database what is younger than ``IdempotencyClaim/secondsKeptMin`` by the database's own clock.
    func deleteClaims(_ keys: [IdempotencyKey], before moment: Timestamp) throws
    /// - Throws: ``StoreError/duplicate(_:)`` for a reference that is taken.
    func insert(_ reference: Reference, operation: OperationID) throws
    /// Remembers for ever that a payment has used an Apple transaction identifier up.
    /// - Returns: whether it was still to be used in its mode: it is new, or whoever has used it was not processed by the
    ///   acquirer (``PaymentState/notProcessed``), and it is this payment's now.
    func rememberToken(transactionIdentifier: [UInt8], mode: Mode, payment: PaymentID, at: Timestamp) throws -> Bool

    /// Writes a part of a connector's memo on an operation, over an earlier one.
    func upsert(_ memo: StoredMemo) throws
    /// Deletes that part of the memos on all of a payment's operations.
    func deleteMemos(_ part: StoredMemo.Part, of payment: PaymentID) throws
    /// Writes an item, over an earlier one of its name.
    func upsert(_ item: KeptItem) throws
    func delete(_ name: KeptItemName) throws
    /// Deletes what has expired by then.
    func deleteKeptItems(expiredBy now: Timestamp) throws

    func insert(_ event: OutboxEvent) throws
    /// Writes the event's `target`, `state`, `messageIndex`, `attemptsCount` and `lastResult`.
    func update(_ event: OutboxEvent) throws
    /// Deletes the oldest of the events that were made before a moment and have been delivered, from an event on. What
    /// others are deleting is left to them.
    func deleteDeliveredEvents(from first: EventID, before moment: Timestamp, limit: Int) throws

    /// Makes the job due no later than `job.dueAt`; an existing one keeps its count and the earlier of both times.
    func schedule(_ job: Job) throws
    /// Writes the job's `dueAt` and `attemptsCount`, if it exists.
    func update(_ job: Job) throws
    func delete(_ kind: Job.Kind, of payment: PaymentID) throws
    /// Takes due jobs: each is counted and made due again at `leaseEnd`, so that nobody else takes it until then.
    func lease(_ kind: Job.Kind, dueBy now: Timestamp, until leaseEnd: Timestamp, limit: Int) throws -> [Job]
    /// Makes jobs of a kind due, as when the worker that had taken them is gone, or the clock has been set back: those that
    /// are due after a moment, and no later than another.
    ///
    /// - Parameters:
    ///   - earliest: `nil` for all that are not due yet.
    ///   - latest: `nil` for all, however late.
    func makeDue(
        _ kind: Job.Kind, at now: Timestamp, dueAfter earliest: Timestamp?, dueBy latest: Timestamp?) throws

    /// Writes an observation, over an earlier one of the same kind, merchant, subject and number.
    func upsert(_ observation: Observation) throws

    /// Writes a refused call, which is never changed.
    func insert(_ call: RefusedCall) throws
    /// Deletes what was refused before a moment, and what is older than the newest of that count. What others are deleting
    /// is left to them.
    func deleteRefusedCalls(before moment: Timestamp, keeping countMax: Int) throws
    /// - Throws: ``StoreError/duplicate(_:)`` where one of the kind stands for the subject.
    func insert(_ alarm: Alarm) throws
    /// Writes all of the alarm that is variable.
    func update(_ alarm: Alarm) throws
    /// Takes alarms whose message is due: each try is counted, and the message is due again at `leaseEnd`.
    func leaseAlarms(dueBy now: Timestamp, until leaseEnd: Timestamp, limit: Int) throws -> [Alarm]
    /// Deletes what ended before a moment.
    func deleteAlarms(endedBefore moment: Timestamp) throws
}

extension StoreTransaction {
    /// Makes every job of a kind due.
    public func makeDue(_ kind: Job.Kind, at now: Timestamp) throws {
        try self.makeDue(kind, at: now, dueAfter: nil, dueBy: nil)
    }

    /// Makes the jobs of a kind due that are due by a moment.
    public func makeDue(_ kind: Job.Kind, at now: Timestamp, dueBy latest: Timestamp) throws {
        try self.makeDue(kind, at: now, dueAfter: nil, dueBy: latest)
    }

    /// Makes the jobs of a kind due that are due after a moment.
    public func makeDue(_ kind: Job.Kind, at now: Timestamp, dueAfter earliest: Timestamp) throws {
        try self.makeDue(kind, at: now, dueAfter: earliest, dueBy: nil)
    }
}
