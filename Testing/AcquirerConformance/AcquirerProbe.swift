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

    func authorize(_ amount: Money, captures: Bool = false) async -> AcquirerOutcome {
        self.history.note(self.authorizationID, .authorization, amount, isSale: captures)
        return await self.perform(self.authorizationID, amount, .authorize(self.charge(captures: captures)))
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
        self.history.note(id, .reversal, amount)
        return await self.perform(
            id, amount, reason == .voidedByMerchant ? .void(original) : .reverse(original))
    }

    func query(_ id: OperationID) async -> AcquirerQueryOutcome {
        await self.acquirer.query(
            AcquirerQuery(
                paymentID: self.paymentID, merchantID: self.merchantID, original: self.original(id), at: self.values.at)
        )
    }

    private func perform(
        _ id: OperationID, _ amount: Money, _ action: AcquirerRequest.Action
    ) async -> AcquirerOutcome {
        await self.acquirer.perform(
            AcquirerRequest(
                operationID: id, paymentID: self.paymentID, merchantID: self.merchantID, amount: amount,
                begunAt: self.values.at, action: action))
    }

    private func charge(captures: Bool = false) -> Charge {
        Charge(instrument: self.values.instrument, network: self.values.network, captures: captures)
    }

    private func original(_ id: OperationID) -> OriginalOperation {
        let (kind, amount, isSale, ordinal) = self.history.entry(id) ?? (.authorization, self.fifths(5), false, 1)
        return OriginalOperation(
            id: id, kind: kind, isSale: isSale, amount: amount, begunAt: self.values.at, ordinal: ordinal,
            authorizedTotal: self.fifths(5), capturedTotal: self.fifths(0))
    }

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
    private typealias Entry = (kind: Payments.Operation.Kind, amount: Money, isSale: Bool, ordinal: Int)

    private let entries = Mutex<[OperationID: Entry]>([:])

    func note(_ id: OperationID, _ kind: Payments.Operation.Kind, _ amount: Money, isSale: Bool = false) {
        self.entries.withLock { entries in
            let ordinal = entries[id]?.ordinal ?? entries.count + 1
            entries[id] = (kind, amount, isSale, ordinal)
        }
    }

    func entry(_ id: OperationID) -> (Payments.Operation.Kind, Money, Bool, Int)? {
        self.entries.withLock { $0[id] }
    }
}
