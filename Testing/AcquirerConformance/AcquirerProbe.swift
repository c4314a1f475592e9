//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Synchronization
import Time

/// One payment at the acquirer under judgement: makes its calls, and throws what they should not have answered.
struct AcquirerProbe {
    let law: AcquirerLaw
    let acquirer: any Acquirer
    let values: AcquirerTestValues
    let paymentID: PaymentID
    let merchantID: MerchantID
    let authorizationID: OperationID
    private let history = ProbeHistory()
    private var operationsCount: UInt8 = 1

    init(law: AcquirerLaw, acquirer: any Acquirer, values: AcquirerTestValues) {
        self.law = law
        self.acquirer = acquirer
        self.values = values
        self.paymentID = PaymentID(at: values.at, random: Self.random(law, values, 0))
        self.merchantID = MerchantID(at: values.at, random: Self.random(law, values, 0))
        self.authorizationID = OperationID(at: values.at, random: Self.random(law, values, 0))
    }

    /// Ten bytes that no other law and no other run has.
    private static func random(_ law: AcquirerLaw, _ values: AcquirerTestValues, _ number: UInt8) -> [UInt8] {
        let lawNumber = UInt8(truncatingIfNeeded: AcquirerLaw.allCases.firstIndex(of: law) ?? 0)
        let salt = (0..<4).map { UInt8(truncatingIfNeeded: values.salt >> (24 - 8 * $0)) }
        return salt + [0, 0, 0, 0, lawNumber, number]
    }

    mutating func nextID() -> OperationID {
        defer { self.operationsCount += 1 }
        return OperationID(at: self.values.at, random: Self.random(self.law, self.values, self.operationsCount))
    }

    /// A number of fifths of the amount that is approved.
    func fifths(_ count: Int64) -> Money {
        Money(
            minorUnits: self.values.approvedAmount.minorUnits / 5 * count, currency: self.values.approvedAmount.currency
        )
    }

    // MARK: - Calls

    /// - Parameter instrument: what is paid with; the card of the values if left out.
    func authorize(
        _ amount: Money, captures: Bool = false, with instrument: PaymentInstrument? = nil
    ) async -> AcquirerOutcome {
        self.history.note(self.authorizationID, .authorization, amount, isSale: captures)
        return await self.perform(
            self.authorizationID, amount, .authorize(self.charge(instrument, captures: captures)))
    }

    /// A verification, in the authorization's place.
    func verify() async -> AcquirerOutcome {
        self.history.note(self.authorizationID, .verification, self.fifths(0))
        return await self.perform(self.authorizationID, self.fifths(0), .verify(self.charge()))
    }

    func adjust(_ id: OperationID, _ total: Money) async -> AcquirerOutcome {
        self.history.note(id, .adjustment, total)
        return await self.perform(id, total, .adjust(self.original(self.authorizationID)))
    }

    func capture(_ id: OperationID, _ amount: Money, isFinal: Bool = false) async -> AcquirerOutcome {
        self.history.note(id, .capture, amount)
        return await self.perform(id, amount, .capture(of: self.original(self.authorizationID), isFinal: isFinal))
    }

    func refund(_ id: OperationID, _ amount: Money) async -> AcquirerOutcome {
        self.history.note(id, .refund, amount)
        return await self.perform(id, amount, .refund(of: self.original(self.authorizationID), capture: nil))
    }

    enum ReversalReason {
        case voidedByMerchant
        case outcomeUnknown
    }

    func reverse(
        _ id: OperationID, of target: OperationID, _ amount: Money, because reason: ReversalReason = .outcomeUnknown
    ) async -> AcquirerOutcome {
        let original = self.original(target)
        self.history.note(id, reason == .voidedByMerchant ? .void : .reversal, amount)
        return await self.perform(
            id, amount, reason == .voidedByMerchant ? .void(original) : .reverse(original))
    }

    func query(_ id: OperationID) async -> AcquirerQueryOutcome {
        await self.query(id, at: self.values.at)
    }

    /// Asks when whoever decides later has decided, and whoever finds what is fresh only later finds it.
    private func query(_ id: OperationID, at time: Timestamp) async -> AcquirerQueryOutcome {
        let capabilities = self.acquirer.capabilities
        let isLater = capabilities.decidesLater || capabilities.recovery.quietSeconds != nil
        return await self.acquirer.query(
            AcquirerQuery(
                paymentID: self.paymentID, merchantID: self.merchantID, original: self.original(id),
                at: isLater ? time.adding(seconds: Self.decisionSeconds) : time))
    }

    /// Ten days.
    private static let decisionSeconds: Int64 = 864_000

    /// Has an operation prepared that is never sent.
    func prepare(_ id: OperationID, _ amount: Money) async -> AcquirerPreparation {
        self.history.note(id, .authorization, amount)
        let prepared = await self.acquirer.prepare(self.request(id, amount, .authorize(self.charge())))
        if case .ready(let memo) = prepared { self.history.add(memo, to: id) }
        return prepared
    }

    private func perform(
        _ id: OperationID, _ amount: Money, _ action: AcquirerRequest.Action
    ) async -> AcquirerOutcome {
        var request = self.request(id, amount, action)
        if self.acquirer.capabilities.memos == .prepared, request.memo.isEmpty {
            switch await self.acquirer.prepare(request) {
            case .ready(let memo):
                self.history.add(memo, to: id)
                request = request.with(memo)
            case .notProcessed(let not): return .notProcessed(not)
            }
        }
        let outcome = await self.acquirer.perform(request)
        self.history.add(outcome.memo, to: id)
        switch outcome {
        case .declined, .notProcessed: self.history.noteFailure(of: id)
        case .approved, .accepted, .unknown: break
        }
        guard case .accepted = outcome, self.acquirer.capabilities.decidesLater else { return outcome }
        switch await self.query(id) {
        case .approved(let approval): return .approved(approval)
        case .declined(let decline): return .declined(decline)
        // It was accepted once more, and had been taken back.
        case .reversed:
            return .declined(AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer()))
        case .accepted, .notFound, .unknown: return outcome
        }
    }

    private func request(
        _ id: OperationID, _ amount: Money, _ action: AcquirerRequest.Action
    ) -> AcquirerRequest {
        AcquirerRequest(
            operationID: id, paymentID: self.paymentID, merchantID: self.merchantID, amount: amount,
            begunAt: self.values.at, action: action, ordinal: self.history.place(of: id), memo: self.history.memo(id))
    }

    private func charge(_ instrument: PaymentInstrument? = nil, captures: Bool = false) -> Charge {
        Charge(instrument: instrument ?? self.values.instrument, network: self.values.network, captures: captures)
    }

    private func original(_ id: OperationID) -> OriginalOperation {
        let (kind, amount, isSale, ordinal) = self.history.entry(id) ?? (.authorization, self.fifths(5), false, 1)
        return OriginalOperation(
            id: id, kind: kind, isSale: isSale, amount: amount, begunAt: self.values.at, ordinal: ordinal,
            authorizedTotal: self.fifths(5), capturedTotal: self.fifths(0), memo: self.history.memo(id))
    }

    /// What the acquirer has noted on an operation.
    func memo(_ id: OperationID) -> AcquirerMemo { self.history.memo(id) }

    // MARK: - Expectations

    @discardableResult
    func expectApproved(_ outcome: AcquirerOutcome, _ amount: Money, _ what: String) throws -> AcquirerApproval {
        guard case .approved(let approval) = outcome, approval.amount == amount else {
            throw self.broken("\(what) approved for \(amount)", outcome)
        }
        return approval
    }

    @discardableResult
    func expectDeclined(_ outcome: AcquirerOutcome, _ what: String) throws -> AcquirerDecline {
        guard case .declined(let decline) = outcome else { throw self.broken("\(what) declined", outcome) }
        return decline
    }

    /// A repeat of what was taken back: declined, or refused without a word by an acquirer that answers no repeats.
    func expectNotDoneAgain(_ outcome: AcquirerOutcome, _ what: String) throws {
        if self.acquirer.capabilities.keyLifeSeconds == 0, case .unknown = outcome { return }
        try self.expectDeclined(outcome, what)
    }

    func expect(_ condition: Bool, _ wanted: String) throws {
        guard condition else { throw AcquirerLawBroken(law: self.law, wanted: wanted, found: "something else") }
    }

    private func broken(_ wanted: String, _ outcome: AcquirerOutcome) -> AcquirerLawBroken {
        let found =
            switch outcome {
            case .approved(let approval): "approved for \(approval.amount)"
            case .declined(let decline): "declined (\(decline.reason.rawValue))"
            case .accepted: "accepted"
            case .notProcessed(let not): "not processed (\(not.reason.rawValue))"
            case .unknown(let unknown): "unknown (\(unknown.word))"
            }
        return AcquirerLawBroken(law: self.law, wanted: wanted, found: found)
    }

    func expect(_ outcome: AcquirerQueryOutcome, isAnyOf wanted: [AcquirerQueryOutcome], _ what: String) throws {
        guard !wanted.contains(outcome) else { return }
        let found =
            switch outcome {
            case .approved: "approved, or with another answer"
            case .declined: "declined, or with another answer"
            case .reversed: "reversed"
            case .accepted: "accepted"
            case .notFound: "not found"
            case .unknown(let unknown): "unknown (\(unknown.word))"
            }
        throw AcquirerLawBroken(law: self.law, wanted: what, found: found)
    }

    /// An authorization of the whole amount that must be approved.
    @discardableResult
    func authorized(captures: Bool = false) async throws -> AcquirerApproval {
        let amount = self.fifths(5)
        return try self.expectApproved(
            await self.authorize(amount, captures: captures), amount, "an authorization")
    }

    /// The whole amount captured: by a sale, where the acquirer makes sales.
    mutating func captured() async throws {
        let sells = self.acquirer.capabilities.sells
        try await self.authorized(captures: sells)
        guard !sells else { return }
        try self.expectApproved(await self.capture(self.nextID(), self.fifths(5)), self.fifths(5), "a capture of all")
    }
}

/// What has been asked for, by its id.
private final class ProbeHistory: Sendable {
    private typealias Entry = (kind: PaymentOperation.Kind, amount: Money, isSale: Bool, ordinal: Int)

    /// What ``AcquirerRequest/ordinal`` is made of.
    private struct Places {
        var standing: Set<OperationID> = []
        var given: [OperationID: Int] = [:]
    }

    private let entries = Mutex<[OperationID: Entry]>([:])
    private let memos = Mutex<[OperationID: AcquirerMemo]>([:])
    private let places = Mutex(Places())

    func memo(_ id: OperationID) -> AcquirerMemo { self.memos.withLock { $0[id] ?? AcquirerMemo() } }

    func add(_ memo: AcquirerMemo, to id: OperationID) {
        self.memos.withLock { $0[id] = ($0[id] ?? AcquirerMemo()).merging(memo) }
    }

    func note(_ id: OperationID, _ kind: PaymentOperation.Kind, _ amount: Money, isSale: Bool = false) {
        self.entries.withLock { entries in
            let ordinal = entries[id]?.ordinal ?? entries.count + 1
            entries[id] = (kind, amount, isSale, ordinal)
        }
        self.places.withLock { places in
            guard places.given[id] == nil else { return }
            places.given[id] = places.standing.count + 1
            if kind != .reversal { places.standing.insert(id) }
        }
    }

    func noteFailure(of id: OperationID) { self.places.withLock { _ = $0.standing.remove(id) } }

    func place(of id: OperationID) -> Int { self.places.withLock { $0.given[id] ?? 1 } }

    func entry(_ id: OperationID) -> (PaymentOperation.Kind, Money, Bool, Int)? {
        self.entries.withLock { $0[id] }
    }
}
