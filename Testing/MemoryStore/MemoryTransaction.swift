//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Payments
import StrictJSON
import Time

/// One body's transaction: writes go to the tables at once, each with the step that undoes it.
final class MemoryTransaction: MemoryReading, StoreTransaction {
    private(set) var state: MemoryState
    private var undoSteps: [(inout MemoryState) -> Void] = []
    /// What rows refer to; it must exist when the body has ended, in whatever order it was written.
    private var isThere: [(MemoryState) -> Bool] = []

    init(moving state: inout MemoryState) {
        self.state = MemoryState()
        swap(&self.state, &state)
    }

    func undoAll() {
        for undo in self.undoSteps.reversed() { undo(&self.state) }
        self.undoSteps = []
    }

    func checkReferences() throws {
        guard self.isThere.allSatisfy({ $0(self.state) }) else {
            throw StoreError.corrupt("a reference to a row that does not exist")
        }
    }

    func put<Key, Row>(
        _ row: Row?, _ key: Key, in table: WritableKeyPath<MemoryState, [Key: Row]>
    ) {
        let earlier = self.state[keyPath: table][key]
        self.undoSteps.append { $0[keyPath: table][key] = earlier }
        self.state[keyPath: table][key] = row
    }

    func refer<Key, Row>(to key: Key?, in table: KeyPath<MemoryState, [Key: Row]>) {
        guard let key else { return }
        self.isThere.append { $0[keyPath: table][key] != nil }
    }

    func refer(_ isThere: @escaping (MemoryState) -> Bool) {
        self.isThere.append(isThere)
    }

    // MARK: - Merchants

    func insert(_ merchant: Merchant) throws {
        guard self.state.merchants[merchant.id] == nil else { throw StoreError.duplicate("merchant id") }
        guard try self.merchant(named: merchant.name) == nil else { throw StoreError.duplicate("merchant name") }
        self.put(merchant, merchant.id, in: \.merchants)
    }

    func update(_ merchant: Merchant) throws {
        guard var stored = self.state.merchants[merchant.id] else { throw StoreError.corrupt("merchants.id") }
        stored.displayName = merchant.displayName
        stored.countryCode = merchant.countryCode
        stored.timeZone = merchant.timeZone
        stored.state = merchant.state
        self.put(stored, merchant.id, in: \.merchants)
    }

    func upsert(_ account: MerchantAccount) throws {
        for name in account.aliases.union([account.key]) {
            let holder = try self.account(dialect: account.dialect, key: name)
            guard holder == nil || holder?.merchantID == account.merchantID else {
                throw StoreError.duplicate("account key")
            }
        }
        self.refer(to: account.merchantID, in: \.merchants)
        let key = MemoryState.AccountKey(dialect: account.dialect, merchantID: account.merchantID)
        self.put(account, key, in: \.accounts)
    }

    func upsert(_ credential: AppleCredential) throws {
        self.refer(to: credential.merchantID, in: \.merchants)
        let key = MemoryState.CredentialKey(merchantID: credential.merchantID, id: credential.id)
        self.put(credential, key, in: \.credentials)
    }

    // MARK: - Payments

    func insert(_ payment: Payment) throws {
        guard self.state.payments[payment.id] == nil else { throw StoreError.duplicate("payment id") }
        try self.checkAreNew(payment.operations.map(\.id))
        self.refer(to: payment.accountID, of: payment.merchantID)
        self.refer(to: payment.orderID, in: \.orders)
        self.put(payment, payment.id, in: \.payments)
        for operation in payment.operations { self.put(payment.id, operation.id, in: \.paymentsOfOperations) }
    }

    func update(_ change: PaymentChange, from version: Int) throws {
        let payment = change.payment
        guard payment.version > version, self.state.payments[payment.id]?.version == version else {
            throw StoreError.conflict
        }
        let new = payment.operations.filter { $0.begunInVersion > version }.map(\.id)
        try self.checkAreNew(new)
        guard change.journal.allSatisfy({ $0.subject == payment.id.text }) else {
            throw StoreError.corrupt("journal_entries.payment_id")
        }
        guard change.journal.allSatisfy({ self.state.paymentsOfEntries[$0.id] == nil }) else {
            throw StoreError.duplicate("journal entry id")
        }
        self.refer(to: payment.accountID, of: payment.merchantID)
        self.put(payment, payment.id, in: \.payments)
        for operation in new { self.put(payment.id, operation, in: \.paymentsOfOperations) }
        for entry in change.journal { self.put(payment.id, entry.id, in: \.paymentsOfEntries) }
        if !change.journal.isEmpty {
            self.put((self.state.journals[payment.id] ?? []) + change.journal, payment.id, in: \.journals)
        }
    }

    private func checkAreNew(_ operations: [OperationID]) throws {
        let areNew = operations.allSatisfy { self.state.paymentsOfOperations[$0] == nil }
        guard areNew, Set(operations).count == operations.count else { throw StoreError.duplicate("operation id") }
    }

    func insert(_ order: Order) throws {
        guard self.state.orders[order.id] == nil else { throw StoreError.duplicate("order id") }
        self.refer(to: order.merchantID, in: \.merchants)
        self.refer(to: order.paymentID, in: \.payments)
        let reference = MemoryState.OrderReference(
            merchantID: order.merchantID, dialect: order.dialect, reference: ExactText(order.reference))
        guard self.state.ordersOfReferences[reference] == nil else { throw StoreError.duplicate("order reference") }
        self.put(order.id, reference, in: \.ordersOfReferences)
        self.put(order, order.id, in: \.orders)
    }

    func update(_ order: Order) throws {
        guard var stored = self.state.orders[order.id] else { throw StoreError.corrupt("orders.id") }
        stored.canceledAt = order.canceledAt
        stored.paymentID = order.paymentID
        self.refer(to: order.paymentID, in: \.payments)
        self.put(stored, order.id, in: \.orders)
    }

    // MARK: - Idempotency

    func insert(_ claim: IdempotencyClaim) throws {
        guard self.state.claims[claim.key] == nil else { throw StoreError.duplicate("idempotency key") }
        switch claim.subject {
        case .order(let id): self.refer(to: id, in: \.orders)
        case .operation(_, let id): self.refer(to: id, in: \.paymentsOfOperations)
        }
        self.put(claim, claim.key, in: \.claims)
    }

    func deleteClaims(_ keys: [IdempotencyKey], before moment: Timestamp) throws {
        for key in keys {
            guard let claim = self.state.claims[key], claim.createdAt < moment,
                case .operation(let payment, let id) = claim.subject,
                self.state.payments[payment]?.operation(id)?.state.isResolved == true
            else { continue }
            self.put(nil, key, in: \.claims)
        }
    }

    func insert(_ reference: Reference, operation: OperationID) throws {
        guard self.state.references[reference] == nil else { throw StoreError.duplicate("reference") }
        self.refer(to: operation, in: \.paymentsOfOperations)
        self.put(operation, reference, in: \.references)
    }

    func rememberToken(
        transactionIdentifier: [UInt8], mode: Mode, payment: PaymentID, at now: Timestamp
    ) throws -> Bool {
        let token = MemoryState.SeenToken(mode: mode, transactionIdentifier: transactionIdentifier)
        guard try !self.isTokenRemembered(transactionIdentifier: transactionIdentifier, mode: mode) else {
            return false
        }
        self.put(payment, token, in: \.seenTokens)
        return true
    }

    // MARK: - Kept items

    func upsert(_ memo: StoredMemo) throws {
        self.put(memo, MemoryState.MemoKey(operationID: memo.operationID, part: memo.part), in: \.memos)
    }

    func deleteMemos(_ part: StoredMemo.Part, of payment: PaymentID) throws {
        for (key, memo) in self.state.memos where memo.part == part && memo.paymentID == payment {
            self.put(nil, key, in: \.memos)
        }
    }

    func upsert(_ item: KeptItem) throws {
        self.refer(to: item.name.merchantID, in: \.merchants)
        self.put(item, item.name, in: \.keptItems)
    }

    func delete(_ name: KeptItemName) throws {
        self.put(nil, name, in: \.keptItems)
    }

    func deleteKeptItems(expiredBy now: Timestamp) throws {
        for item in self.state.keptItems.values where item.expiresAt <= now {
            self.put(nil, item.name, in: \.keptItems)
        }
    }

    // MARK: - Administration

    func insert(_ claim: AdminClaim) throws {
        guard self.state.adminClaims[claim.key] == nil else { throw StoreError.duplicate("admin claim") }
        self.put(claim, claim.key, in: \.adminClaims)
    }

    func update(_ claim: AdminClaim) throws {
        guard var stored = self.state.adminClaims[claim.key] else { return }
        stored.answer = claim.answer
        self.put(stored, claim.key, in: \.adminClaims)
    }

    func deleteAdminClaims(expiredBy now: Timestamp) throws {
        for claim in self.state.adminClaims.values where claim.expiresAt <= now {
            self.put(nil, claim.key, in: \.adminClaims)
        }
    }

    // MARK: - Delivery

    func insert(_ event: OutboxEvent) throws {
        guard self.state.events[event.id] == nil else { throw StoreError.duplicate("event id") }
        self.refer(to: event.paymentID, in: \.payments)
        self.put(event, event.id, in: \.events)
        let events = self.state.eventsOfPayments[event.paymentID] ?? []
        self.put(events + [event.id], event.paymentID, in: \.eventsOfPayments)
    }

    func update(_ event: OutboxEvent) throws {
        guard var stored = self.state.events[event.id] else { throw StoreError.corrupt("outbox_events.id") }
        stored.target = event.target
        stored.state = event.state
        stored.messageIndex = event.messageIndex
        stored.attemptsCount = event.attemptsCount
        stored.lastResult = event.lastResult
        self.put(stored, event.id, in: \.events)
    }

    func deleteDeliveredEvents(from first: EventID, before moment: Timestamp, limit: Int) throws {
        let end = EventID(at: moment, random: [])
        let delivered = self.state.events.values.filter { $0.state == .delivered && $0.id >= first && $0.id < end }
        let ids = delivered.map(\.id).sorted()
        for id in ids.prefix(max(0, limit)) {
            guard let payment = self.state.events[id]?.paymentID else { continue }
            self.put(nil, id, in: \.events)
            let others = (self.state.eventsOfPayments[payment] ?? []).filter { $0 != id }
            self.put(others, payment, in: \.eventsOfPayments)
            for (key, observation) in self.state.observations
            where observation.kind == .delivery && observation.subject == id.text {
                self.put(nil, key, in: \.observations)
            }
        }
    }

    func schedule(_ job: Job) throws {
        let key = MemoryState.JobKey(kind: job.kind, paymentID: job.paymentID)
        var scheduled = self.state.jobs[key] ?? job
        scheduled.dueAt = min(scheduled.dueAt, job.dueAt)
        self.refer(to: job.paymentID, in: \.payments)
        self.put(scheduled, key, in: \.jobs)
    }

    func update(_ job: Job) throws {
        let key = MemoryState.JobKey(kind: job.kind, paymentID: job.paymentID)
        guard self.state.jobs[key] != nil else { return }
        self.put(job, key, in: \.jobs)
    }

    func delete(_ kind: Job.Kind, of payment: PaymentID) throws {
        self.put(nil, MemoryState.JobKey(kind: kind, paymentID: payment), in: \.jobs)
    }

    func lease(_ kind: Job.Kind, dueBy now: Timestamp, until leaseEnd: Timestamp, limit: Int) throws -> [Job] {
        let due = try self.jobs(kind, limit: .max).filter { $0.dueAt <= now }.prefix(max(0, limit))
        return try due.map { job in
            var leased = job
            leased.dueAt = leaseEnd
            leased.attemptsCount += 1
            leased.takenAt = now
            try self.update(leased)
            return leased
        }
    }

    func makeDue(
        _ kind: Job.Kind, at now: Timestamp, dueAfter earliest: Timestamp?, dueBy latest: Timestamp?
    ) throws {
        let earliest = max(now, earliest ?? now)
        for var job in try self.jobs(kind, limit: .max)
        where job.dueAt > earliest && job.dueAt <= latest ?? job.dueAt {
            job.dueAt = now
            try self.update(job)
        }
    }
}
