//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Time

/// One payment at the acquirer under judgement: makes its calls, and throws what they should not have answered.
struct AcquirerProbe {
    let law: AcquirerLaw
    let acquirer: any Acquirer
    let values: AcquirerTestValues
    let paymentID: PaymentID
    let merchantID: MerchantID
    let authorizationID: OperationID
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
        await self.acquirer.authorize(
            AcquirerAuthorization(
                operationID: self.authorizationID, paymentID: self.paymentID, merchantID: self.merchantID,
                amount: amount, captures: captures, instrument: self.values.instrument, at: self.values.at))
    }

    /// A verification, in the authorization's place.
    func verify() async -> AcquirerOutcome {
        await self.acquirer.verify(
            AcquirerAuthorization(
                operationID: self.authorizationID, paymentID: self.paymentID, merchantID: self.merchantID,
                amount: self.fifths(0), captures: false, instrument: self.values.instrument, at: self.values.at))
    }

    func adjust(_ id: OperationID, _ total: Money) async -> AcquirerOutcome {
        await self.acquirer.adjust(self.followUp(id, total, isFinal: false))
    }

    func capture(_ id: OperationID, _ amount: Money, isFinal: Bool = false) async -> AcquirerOutcome {
        await self.acquirer.capture(self.followUp(id, amount, isFinal: isFinal))
    }

    func refund(_ id: OperationID, _ amount: Money) async -> AcquirerOutcome {
        await self.acquirer.refund(self.followUp(id, amount, isFinal: false))
    }

    private func followUp(_ id: OperationID, _ amount: Money, isFinal: Bool) -> AcquirerFollowUp {
        AcquirerFollowUp(
            operationID: id, paymentID: self.paymentID, merchantID: self.merchantID,
            authorizationID: self.authorizationID, authorizationReference: nil, amount: amount, isFinal: isFinal,
            at: self.values.at)
    }

    func reverse(
        _ id: OperationID, of target: OperationID, _ amount: Money,
        because reason: AcquirerReversal.Reason = .outcomeUnknown
    ) async -> AcquirerOutcome {
        await self.acquirer.reverse(
            AcquirerReversal(
                operationID: id, paymentID: self.paymentID, merchantID: self.merchantID, targetID: target,
                targetReference: nil, amount: amount, reason: reason, at: self.values.at))
    }

    func query(_ id: OperationID) async -> AcquirerQueryOutcome {
        await self.acquirer.query(
            AcquirerQuery(
                operationID: id, paymentID: self.paymentID, merchantID: self.merchantID, at: self.values.at))
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
            case .unknown(let word): "unknown (\(word))"
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
            case .notFound: "not found"
            case .unknown(let word): "unknown (\(word))"
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
}
