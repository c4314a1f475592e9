//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
public import Payments
public import StrictJSON
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
    public func sealingKeys(_ kind: SealedPlace.Kind) throws -> [String] { try self.reader.sealingKeys(kind) }
    public func sealedCount(under keyID: String, max: Int) throws -> Int {
        try self.reader.sealedCount(under: keyID, max: max)
    }
    public func sealedValues(
        _ kind: SealedPlace.Kind, under keyID: String, after place: SealedPlace?, limit: Int
    ) throws -> [SealedValue] {
        try self.reader.sealedValues(kind, under: keyID, after: place, limit: limit)
    }
    public func storeSecret(_ name: String) throws -> SealedBytes? { try self.reader.storeSecret(name) }
    public func auditEntries(after number: Int64, limit: Int) throws -> [AuditEntry] {
        try self.reader.auditEntries(after: number, limit: limit)
    }
    public func lastAuditEntry() throws -> AuditEntry? { try self.reader.lastAuditEntry() }
    public func person(_ id: PersonID) throws -> Person? { try self.reader.person(id) }
    public func person(named userName: String) throws -> Person? { try self.reader.person(named: userName) }
    public func person(_ identity: ExternalIdentity) throws -> Person? { try self.reader.person(identity) }
    public func person(invitedBy digest: String) throws -> Person? { try self.reader.person(invitedBy: digest) }
    public func people() throws -> [Person] { try self.reader.people() }
    public func secondFactor(of person: PersonID) throws -> SecondFactor? { try self.reader.secondFactor(of: person) }
    public func personSession(_ id: PersonSessionID) throws -> PersonSession? { try self.reader.personSession(id) }
    public func personSession(digest: [UInt8]) throws -> PersonSession? {
        try self.reader.personSession(digest: digest)
    }
    public func personSessions(of person: PersonID) throws -> [PersonSession] {
        try self.reader.personSessions(of: person)
    }
    public func accessToken(_ id: AccessTokenID) throws -> AccessToken? { try self.reader.accessToken(id) }
    public func accessToken(digest: [UInt8]) throws -> AccessToken? { try self.reader.accessToken(digest: digest) }
    public func accessTokens() throws -> [AccessToken] { try self.reader.accessTokens() }
    public func approval(_ id: ApprovalID) throws -> Approval? { try self.reader.approval(id) }
    public func approval(askedUnder key: String) throws -> Approval? { try self.reader.approval(askedUnder: key) }
    public func approvals(_ query: ApprovalQuery) throws -> [Approval] { try self.reader.approvals(query) }
    public func approvalContent(
        _ part: ApprovalContent.Part, of approval: ApprovalID
    ) throws -> ApprovalContent? {
        try self.reader.approvalContent(part, of: approval)
    }
    public func approvalPolicies() throws -> [ApprovalPolicy] { try self.reader.approvalPolicies() }
    public func domains(of merchant: MerchantID?) throws -> [MerchantDomain] { try self.reader.domains(of: merchant) }
    public func domains(named name: String) throws -> [MerchantDomain] { try self.reader.domains(named: name) }
    public func payment(_ id: PaymentID) throws -> Payment? { try self.reader.payment(id) }
    public func payments(_ query: PaymentQuery) throws -> [Payment] { try self.reader.payments(query) }
    public func paymentPlace(_ query: PaymentQuery, number: Int) throws -> PaymentQuery.Cursor? {
        try self.reader.paymentPlace(query, number: number)
    }
    public func paymentsCount(_ query: PaymentQuery, max: Int) throws -> Int {
        try self.reader.paymentsCount(query, max: max)
    }
    public func paymentsTally(_ query: PaymentQuery) throws -> PaymentsTally { try self.reader.paymentsTally(query) }
    public func movements(_ query: MovementQuery) throws -> [Movement] { try self.reader.movements(query) }
    public func movementNames(_ query: MovementQuery) throws -> [MovementNames] {
        try self.reader.movementNames(query)
    }
    public func payments(
        named names: Set<ExactText>, of merchant: MerchantID, limit: Int
    ) throws -> [ExactText: NamedPayments] {
        try self.reader.payments(named: names, of: merchant, limit: limit)
    }
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
    public func claims(after key: IdempotencyKey?, limit: Int) throws -> [IdempotencyClaim] {
        try self.reader.claims(after: key, limit: limit)
    }
    public func isTokenRemembered(transactionIdentifier: [UInt8], mode: Mode) throws -> Bool {
        try self.reader.isTokenRemembered(transactionIdentifier: transactionIdentifier, mode: mode)
    }
    public func operation(_ reference: Reference) throws -> OperationID? { try self.reader.operation(reference) }
    public func memos(of payment: PaymentID) throws -> [StoredMemo] { try self.reader.memos(of: payment) }
    public func adminClaim(_ key: AdminClaim.Key) throws -> AdminClaim? { try self.reader.adminClaim(key) }
    public func keptItem(_ name: KeptItemName) throws -> KeptItem? { try self.reader.keptItem(name) }
    public func event(_ id: EventID) throws -> OutboxEvent? { try self.reader.event(id) }
    public func events(of payment: PaymentID) throws -> [OutboxEvent] { try self.reader.events(of: payment) }
    public func events(_ query: OutboxQuery) throws -> [OutboxEvent] { try self.reader.events(query) }
    public func jobs(_ kind: Job.Kind, limit: Int) throws -> [Job] { try self.reader.jobs(kind, limit: limit) }
    public func job(_ kind: Job.Kind, of payment: PaymentID) throws -> Job? { try self.reader.job(kind, of: payment) }
    public func openWork() throws -> OpenWork { try self.reader.openWork() }
    public func refusedCalls(_ query: RefusedCallQuery) throws -> [RefusedCall] {
        try self.reader.refusedCalls(query)
    }
    public func observations(
        _ kind: Observation.Kind, of merchant: MerchantID, subject: String?, limit: Int
    ) throws -> [Observation] {
        try self.reader.observations(kind, of: merchant, subject: subject, limit: limit)
    }
    public func standingAlarms() throws -> [Alarm] { try self.reader.standingAlarms() }
    public func alarm(_ id: AlarmID) throws -> Alarm? { try self.reader.alarm(id) }
    public func alarms(before id: AlarmID?, limit: Int) throws -> [Alarm] {
        try self.reader.alarms(before: id, limit: limit)
    }
    public func storeTime() throws -> Timestamp? { try self.reader.storeTime() }
    public func journal(of payment: PaymentID) throws -> [JournalEntry] { try self.reader.journal(of: payment) }
    public func paymentIDs(after: PaymentID?, limit: Int) throws -> [PaymentID] {
        try self.reader.paymentIDs(after: after, limit: limit)
    }
    public func ledgerSums() throws -> [LedgerBalances.Key: LedgerBalances.Sums] { try self.reader.ledgerSums() }
    public func closedDay(_ day: String, of merchant: MerchantID) throws -> ClosedDay? {
        try self.reader.closedDay(day, of: merchant)
    }
    public func lastClosedDay(of merchant: MerchantID) throws -> ClosedDay? {
        try self.reader.lastClosedDay(of: merchant)
    }
    public func closedDays(of merchant: MerchantID, after day: String, limit: Int) throws -> [ClosedDay] {
        try self.reader.closedDays(of: merchant, after: day, limit: limit)
    }
    public func settlementFile(_ id: SettlementFileID) throws -> SettlementFile? { try self.reader.settlementFile(id) }
    public func settlementFile(of account: AcquirerAccountID, digest: [UInt8]) throws -> SettlementFile? {
        try self.reader.settlementFile(of: account, digest: digest)
    }
    public func settlementFiles(
        of merchant: MerchantID?, before id: SettlementFileID?, limit: Int
    ) throws -> [SettlementFile] {
        try self.reader.settlementFiles(of: merchant, before: id, limit: limit)
    }
    public func settlementFiles(
        of merchant: MerchantID, from: Timestamp, to: Timestamp
    ) throws -> Set<SettlementFileID> {
        try self.reader.settlementFiles(of: merchant, from: from, to: to)
    }
    public func settlementItem(_ id: SettlementItem.ID) throws -> SettlementItem? {
        try self.reader.settlementItem(id)
    }
    public func settlementItem(of account: AcquirerAccountID, identity: String) throws -> SettlementItem? {
        try self.reader.settlementItem(of: account, identity: identity)
    }
    public func settlementItem(settling operation: OperationID) throws -> SettlementItem? {
        try self.reader.settlementItem(settling: operation)
    }
    public func settlementItems(_ query: SettlementQuery) throws -> [SettlementItem] {
        try self.reader.settlementItems(query)
    }
    public func settlementItems(in window: SettlementWindow) throws -> [SettlementItem] {
        try self.reader.settlementItems(in: window)
    }
    public func settlementJournal(of item: SettlementItem) throws -> [JournalEntry] {
        try self.reader.settlementJournal(of: item)
    }
    public func settlementPostingsCount() throws -> Int { try self.reader.settlementPostingsCount() }
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
    public func insert(_ person: Person) throws { try self.base.insert(person) }
    public func update(_ person: Person, from version: Int) throws { try self.base.update(person, from: version) }
    public func delete(_ person: PersonID) throws { try self.base.delete(person) }
    public func upsert(_ factor: SecondFactor) throws { try self.base.upsert(factor) }
    public func deleteSecondFactor(of person: PersonID) throws { try self.base.deleteSecondFactor(of: person) }
    public func insert(_ session: PersonSession) throws { try self.base.insert(session) }
    public func update(_ session: PersonSession) throws { try self.base.update(session) }
    public func delete(_ session: PersonSessionID) throws { try self.base.delete(session) }
    public func deletePersonSessions(of person: PersonID) throws { try self.base.deletePersonSessions(of: person) }
    public func deletePersonSessions(
        endedBy now: Timestamp, unseenSince: Timestamp, seenAfter: Timestamp
    ) throws {
        try self.base.deletePersonSessions(endedBy: now, unseenSince: unseenSince, seenAfter: seenAfter)
    }
    public func insert(_ token: AccessToken) throws { try self.base.insert(token) }
    public func update(_ token: AccessToken) throws { try self.base.update(token) }
    public func insert(_ approval: Approval) throws { try self.base.insert(approval) }
    public func update(_ approval: Approval) throws { try self.base.update(approval) }
    public func upsert(_ content: ApprovalContent) throws { try self.base.upsert(content) }
    public func deleteApprovalContent(_ part: ApprovalContent.Part, of approval: ApprovalID) throws {
        try self.base.deleteApprovalContent(part, of: approval)
    }
    public func upsert(_ policy: ApprovalPolicy) throws { try self.base.upsert(policy) }
    public func upsert(_ domain: MerchantDomain) throws { try self.base.upsert(domain) }
    public func deleteDomain(named name: String, of merchant: MerchantID) throws {
        try self.base.deleteDomain(named: name, of: merchant)
    }
    public func append(_ entry: AuditEntry) throws { try self.base.append(entry) }
    public func insert(_ day: ClosedDay) throws { try self.base.insert(day) }
    public func insert(_ file: SettlementFile) throws { try self.base.insert(file) }
    public func insert(_ item: SettlementItem, booking entry: JournalEntry?) throws {
        try self.base.insert(item, booking: entry)
    }
    public func resolve(_ item: SettlementItem, booking entry: JournalEntry?) throws {
        try self.base.resolve(item, booking: entry)
    }
    public func insert(_ payment: Payment) throws { try self.base.insert(payment) }
    public func update(_ change: PaymentChange, from version: Int) throws {
        try self.base.update(change, from: version)
    }
    public func insert(_ order: Order) throws { try self.base.insert(order) }
    public func update(_ order: Order) throws { try self.base.update(order) }
    public func insert(_ claim: IdempotencyClaim) throws { try self.base.insert(claim) }
    public func deleteClaims(_ keys: [IdempotencyKey], before moment: Timestamp) throws {
        try self.base.deleteClaims(keys, before: moment)
    }
    public func insert(_ reference: Reference, operation: OperationID) throws {
        try self.base.insert(reference, operation: operation)
    }
    public func rememberToken(
        transactionIdentifier: [UInt8], mode: Mode, payment: PaymentID, at: Timestamp
    ) throws -> Bool {
        try self.base.rememberToken(transactionIdentifier: transactionIdentifier, mode: mode, payment: payment, at: at)
    }
    public func upsert(_ memo: StoredMemo) throws { try self.base.upsert(memo) }
    public func deleteMemos(_ part: StoredMemo.Part, of payment: PaymentID) throws {
        try self.base.deleteMemos(part, of: payment)
    }
    public func insert(_ claim: AdminClaim) throws { try self.base.insert(claim) }
    public func update(_ claim: AdminClaim) throws { try self.base.update(claim) }
    public func deleteAdminClaims(expiredBy now: Timestamp) throws { try self.base.deleteAdminClaims(expiredBy: now) }
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
    public func makeDue(
        _ kind: Job.Kind, at now: Timestamp, dueAfter earliest: Timestamp?, dueBy latest: Timestamp?
    ) throws {
        try self.base.makeDue(kind, at: now, dueAfter: earliest, dueBy: latest)
    }
    public func deleteDeliveredEvents(from first: EventID, before moment: Timestamp, limit: Int) throws {
        try self.base.deleteDeliveredEvents(from: first, before: moment, limit: limit)
    }
    public func insert(_ call: RefusedCall) throws { try self.base.insert(call) }
    public func deleteRefusedCalls(before moment: Timestamp, keeping countMax: Int) throws {
        try self.base.deleteRefusedCalls(before: moment, keeping: countMax)
    }
    public func upsert(_ observation: Observation) throws { try self.base.upsert(observation) }
    public func insert(_ alarm: Alarm) throws { try self.base.insert(alarm) }
    public func update(_ alarm: Alarm) throws { try self.base.update(alarm) }
    public func leaseAlarms(dueBy now: Timestamp, until leaseEnd: Timestamp, limit: Int) throws -> [Alarm] {
        try self.base.leaseAlarms(dueBy: now, until: leaseEnd, limit: limit)
    }
    public func deleteAlarms(endedBefore moment: Timestamp) throws { try self.base.deleteAlarms(endedBefore: moment) }
}
