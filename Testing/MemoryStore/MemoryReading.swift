//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
import Money
import Payments
import Redaction
import StrictJSON

/// The reads, over the tables as they are.
protocol MemoryReading: StoreReader {
    var state: MemoryState { get }
}

struct MemoryReader: MemoryReading {
    let state: MemoryState
}

extension MemoryReading {
    func merchant(_ id: MerchantID) throws -> Merchant? { self.state.merchants[id] }

    func merchant(named name: String) throws -> Merchant? { self.state.merchants.values.first { $0.name == name } }

    func merchants() throws -> [Merchant] {
        self.state.merchants.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    func account(dialect: DialectName, key: String) throws -> MerchantAccount? {
        self.state.accounts.values.first { $0.dialect == dialect && ($0.key == key || $0.aliases.contains(key)) }
    }

    func account(dialect: DialectName, merchant: MerchantID) throws -> MerchantAccount? {
        self.state.accounts[MemoryState.AccountKey(dialect: dialect, merchantID: merchant)]
    }

    func accounts(of merchant: MerchantID) throws -> [MerchantAccount] {
        self.state.accounts.values.filter { $0.merchantID == merchant }.sorted { $0.dialect.text < $1.dialect.text }
    }

    func appleCredentials(of merchant: MerchantID?) throws -> [AppleCredential] {
        self.state.credentials.values
            .filter { merchant == nil || $0.merchantID == merchant }
            .sorted { ($0.createdAt, $0.id, $0.merchantID) < ($1.createdAt, $1.id, $1.merchantID) }
    }

    func payment(_ id: PaymentID) throws -> Payment? { self.state.payments[id] }

    func payments(_ query: PaymentQuery) throws -> [Payment] {
        let fitting = self.fitting(query).sorted(by: query.order.isBefore)
        return Array(fitting.dropFirst(max(0, query.offset)).prefix(max(0, query.limit)))
    }

    func paymentPlace(_ query: PaymentQuery, number: Int) throws -> PaymentQuery.Cursor? {
        var query = query
        (query.offset, query.limit) = (max(0, number - 1), 1)
        return try self.payments(query).first.map { query.order.cursor(of: $0) }
    }

    func paymentsCount(_ query: PaymentQuery, max: Int) throws -> Int { min(max, self.fitting(query).count) }

    func paymentsTally(_ query: PaymentQuery) throws -> PaymentsTally {
        let looked = try self.payments(query.tallied.looked)
        let asked = Set(self.fitting(query.tallied.asked).map(\.id))
        return PaymentsTally(
            count: looked.count { asked.contains($0.id) },
            last: looked.count < query.limit ? nil : looked.last.map(query.order.cursor))
    }

    private func fitting(_ query: PaymentQuery) -> [Payment] {
        self.state.payments.values.filter { payment in
            guard query.fits(payment) else { return false }
            if let name = query.operationName {
                guard payment.operations.contains(where: { self.isCalled($0, name, payment) }) else { return false }
            }
            guard let reference = query.orderReference else { return true }
            return payment.orderID.flatMap { self.state.orders[$0] }?.reference == reference
        }
    }

    private func isCalled(
        _ operation: PaymentOperation, _ name: PaymentQuery.OperationName, _ payment: Payment
    ) -> Bool {
        switch name {
        case .merchant(let text): operation.labels.reference == text
        case .acquirer(let text): operation.answer.reference == text
        case .authorizationCode(let text): operation.answer.authorizationCode == text
        case .dialects(let references):
            references.contains { one in
                self.named(
                    Reference(
                        merchantID: payment.merchantID, dialect: one.dialect, kind: one.kind, value: one.value)
                ).contains(operation.id)
            }
        }
    }

    func movements(_ query: MovementQuery) throws -> [Movement] {
        let fitting = self.state.payments.values.flatMap { payment in
            payment.operations.compactMap { Movement(of: payment, operation: $0.id) }.filter(query.fits)
        }
        return Array(fitting.sorted { $0.cursor < $1.cursor }.prefix(max(0, query.limit)))
    }

    func movementNames(_ query: MovementQuery) throws -> [MovementNames] {
        try self.movements(query).map { movement in
            MovementNames(of: movement, movement.payment.orderID.flatMap { self.state.orders[$0] })
        }
    }

    func payments(
        named names: Set<ExactText>, of merchant: MerchantID, limit: Int
    ) throws -> [ExactText: NamedPayments] {
        names.reduce(into: [:]) { found, name in
            var ids = self.state.payments.values.flatMap { payment in
                payment.names(merchant, payment.orderID.flatMap { self.state.orders[$0] })
                    .filter { $0.isExactly(name.text) }.map { _ in payment.id }
            }
            ids = Array(ids.prefix(max(0, limit)))
            if !ids.isEmpty { found[name] = NamedPayments(ids: Set(ids), isCut: ids.count == limit) }
        }
    }

    func movementEntry(_ place: MovementQuery.Cursor, of merchant: MerchantID) throws -> MovementEntry? {
        guard let payment = self.state.paymentsOfOperations[place.operationID].flatMap({ self.state.payments[$0] }),
            payment.merchantID == merchant, let operation = payment.operation(place.operationID),
            operation.resolvedAt == place.resolvedAt
        else { return nil }
        return MovementEntry(of: payment, operation)
    }

    func movementEntriesCount() throws -> Int {
        self.state.payments.values.reduce(0) { $0 + $1.operations.count { $0.resolvedAt != nil } }
    }

    func paymentID(ofOperation id: OperationID) throws -> PaymentID? { self.state.paymentsOfOperations[id] }

    func order(_ id: OrderID) throws -> Order? { self.state.orders[id] }

    func order(of merchant: MerchantID, dialect: DialectName, reference: String) throws -> Order? {
        let key = MemoryState.OrderReference(merchantID: merchant, dialect: dialect, reference: ExactText(reference))
        return self.state.ordersOfReferences[key].flatMap { self.state.orders[$0] }
    }

    func memos(of payment: PaymentID) throws -> [StoredMemo] {
        self.state.memos.values.filter { $0.paymentID == payment }
    }

    func adminClaim(_ key: AdminClaim.Key) throws -> AdminClaim? { self.state.adminClaims[key] }

    func keptItem(_ name: KeptItemName) throws -> KeptItem? { self.state.keptItems[name] }

    func isTokenRemembered(transactionIdentifier: [UInt8], mode: Mode) throws -> Bool {
        let token = MemoryState.SeenToken(mode: mode, transactionIdentifier: transactionIdentifier)
        guard let payment = self.state.seenTokens[token] else { return false }
        return self.state.payments[payment]?.state != .notProcessed
    }

    func claim(_ key: IdempotencyKey) throws -> IdempotencyClaim? { self.state.claims[key] }

    func claims(after key: IdempotencyKey?, limit: Int) throws -> [IdempotencyClaim] {
        let parts = { (key: IdempotencyKey) in
            [key.merchantID.text, key.dialect.text, key.operation, key.key].map { Array($0.utf8) + [0] }.flatMap(\.self)
        }
        let start = key.map(parts) ?? []
        return Array(
            self.state.claims.values.map { (parts($0.key), $0) }.filter { start.lexicographicallyPrecedes($0.0) }
                .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1).prefix(max(0, limit)))
    }

    func operation(_ reference: Reference) throws -> OperationID? { self.named(reference).first }

    /// By what was written, and by a claim.
    private func named(_ reference: Reference) -> [OperationID] {
        let key = IdempotencyKey(
            merchantID: reference.merchantID, dialect: reference.dialect, operation: reference.kind,
            key: reference.value)
        var named = [self.state.references[reference]].compactMap(\.self)
        if case .operation(_, let id) = self.state.claims[key]?.subject { named.append(id) }
        return named
    }

    func event(_ id: EventID) throws -> OutboxEvent? { self.state.events[id] }

    func events(of payment: PaymentID) throws -> [OutboxEvent] {
        (self.state.eventsOfPayments[payment] ?? []).compactMap { self.state.events[$0] }
    }

    func events(_ query: OutboxQuery) throws -> [OutboxEvent] {
        let fitting = self.state.events.values.filter(query.fits)
            .sorted { query.oldestFirst ? $0.id < $1.id : $0.id > $1.id }
        return Array(fitting.dropFirst(max(0, query.offset)).prefix(max(0, query.limit)))
    }

    func openWork() throws -> OpenWork {
        OpenWork(
            pendingEventsCount: self.state.events.values.count { $0.state == .pending },
            deadEventsCount: self.state.events.values.count { $0.state == .dead },
            unknownOperationsCount: self.state.jobs.keys.filter { $0.kind == .recover }
                .compactMap { self.state.payments[$0.paymentID] }
                .reduce(0) { $0 + $1.operations.count { $0.state == .unknown } })
    }

    func jobs(_ kind: Job.Kind, limit: Int) throws -> [Job] {
        let jobs = self.state.jobs.values.filter { $0.kind == kind }
            .sorted { ($0.dueAt, $0.paymentID) < ($1.dueAt, $1.paymentID) }
        return Array(jobs.prefix(max(0, limit)))
    }

    func job(_ kind: Job.Kind, of payment: PaymentID) throws -> Job? {
        self.state.jobs[MemoryState.JobKey(kind: kind, paymentID: payment)]
    }

    func journal(of payment: PaymentID) throws -> [JournalEntry] { self.state.journals[payment] ?? [] }

    func paymentIDs(after: PaymentID?, limit: Int) throws -> [PaymentID] {
        let ids = self.state.payments.keys.filter { id in after.map { id > $0 } ?? true }
        return Array(ids.sorted().prefix(max(0, limit)))
    }

    func ledgerSums() throws -> [LedgerBalances.Key: LedgerBalances.Sums] {
        var balances = LedgerBalances()
        for entry in Array(self.state.journals.values.joined()) + self.state.settlementJournals.values.joined() {
            try balances.add(entry)
        }
        return balances.sums
    }
}

extension PaymentQuery {
    fileprivate func fits(_ payment: Payment) -> Bool {
        if let merchantID = self.merchantID, payment.merchantID != merchantID { return false }
        if let dialect = self.dialect, payment.dialect != dialect { return false }
        if let orderID = self.orderID, payment.orderID != orderID { return false }
        if let from = self.from, payment.createdAt < from { return false }
        if let to = self.to, payment.createdAt >= to { return false }
        if let state = self.state, payment.state != state { return false }
        if !self.states.isEmpty, !self.states.contains(payment.state) { return false }
        if self.hasUnknownOutcome, !payment.operations.contains(where: { $0.state == .unknown }) { return false }
        if let accountID = self.accountID, payment.accountID != accountID { return false }
        if let acquirer = self.acquirer, payment.acquirer != acquirer { return false }
        if let network = self.network, payment.instrument.network != network { return false }
        if let currency = self.currency, payment.amount.currency != currency { return false }
        if let range = self.minorUnits, !range.contains(payment.amount.minorUnits) { return false }
        if let suffix = self.cardSuffix, payment.instrument.maskedPAN.suffix != suffix,
            payment.instrument.displayName.map({ String($0.unicodeScalars.suffix(4)) }) != suffix
        {
            return false
        }
        let place = self.order.cursor(of: payment)
        if let after = self.after, !self.order.isBefore(after, place) { return false }
        if let until = self.until, self.order.isBefore(until, place) { return false }
        return true
    }
}

extension Payment {
    /// Each as often as something is called so.
    fileprivate func names(_ merchant: MerchantID, _ order: Order?) -> [String] {
        [self.id.text] + self.operations.map(\.id.text)
            + self.operations.flatMap {
                [$0.answer.reference, $0.answer.networkReference, $0.labels.reference].compactMap(\.self)
            }
            + (self.merchantID == merchant ? [order?.reference].compactMap(\.self) : [])
    }
}

extension MovementQuery {
    fileprivate func fits(_ movement: Movement) -> Bool {
        if let merchantID = self.merchantID, movement.payment.merchantID != merchantID { return false }
        if let dialect = self.dialect, movement.payment.dialect != dialect { return false }
        if let accountID = self.accountID, movement.payment.accountID != accountID { return false }
        if let from = self.from, movement.resolvedAt < from { return false }
        if let to = self.to, movement.resolvedAt >= to { return false }
        if let after = self.after, !(after < movement.cursor) { return false }
        return self.kinds.contains(movement.operation.kind)
            && (self.includesFailed || movement.operation.state == .succeeded)
    }
}

extension MovementQuery.Cursor {
    fileprivate static func < (first: Self, second: Self) -> Bool {
        (first.resolvedAt, first.operationID) < (second.resolvedAt, second.operationID)
    }
}

extension OutboxQuery {
    fileprivate func fits(_ event: OutboxEvent) -> Bool {
        if let merchantID = self.merchantID, event.merchantID != merchantID { return false }
        if let state = self.state, event.state != state { return false }
        if let paymentID = self.paymentID, event.paymentID != paymentID { return false }
        if let dialect = self.dialect, event.dialect != dialect { return false }
        if let kind = self.kind, event.kind != kind { return false }
        if let from = self.from, event.id < EventID(at: from, random: []) { return false }
        if let to = self.to, event.id >= EventID(at: to, random: []) { return false }
        guard let after = self.after else { return true }
        return self.oldestFirst ? event.id > after : event.id < after
    }
}

extension PaymentQuery.Order {
    fileprivate func isBefore(_ first: PaymentQuery.Cursor, _ second: PaymentQuery.Cursor) -> Bool {
        self.isDescending
            ? (first.key, first.id) > (second.key, second.id) : (first.key, first.id) < (second.key, second.id)
    }

    fileprivate func isBefore(_ first: Payment, _ second: Payment) -> Bool {
        switch self {
        case .newestFirst: (first.createdAt, first.id) > (second.createdAt, second.id)
        case .oldestFirst: (first.createdAt, first.id) < (second.createdAt, second.id)
        case .largestFirst: (first.amount.minorUnits, first.id) > (second.amount.minorUnits, second.id)
        case .smallestFirst: (first.amount.minorUnits, first.id) < (second.amount.minorUnits, second.id)
        }
    }
}
