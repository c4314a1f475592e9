//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
public import StrictJSON
public import Time

/// What is asked of a second person for one payment: whoever asks for the same again, or approves it, is to see that.
extension Administration {
    /// The acts on a payment that wait for somebody, the oldest first.
    ///
    /// - Throws: `StoreError`.
    public static func waitingApprovals(
        of payment: PaymentID, at now: Timestamp, in reader: any StoreReader
    ) throws -> [Approval] {
        let query = ApprovalQuery(states: [.waiting], paymentID: payment, part: .act, limit: Self.reportPageCount)
        return try reader.approvals(query).reversed().filter { $0.endsAt > now }
    }
}

/// What was asked of a second person for one payment, as it is shown with the payment.
public struct PaymentApprovals: Sendable {
    /// The acts on it that wait for somebody, the oldest first.
    public let waiting: [Approval]
    /// What somebody has decided, and what nobody has decided in time, the oldest first: the last some hundred.
    public let decided: [Approval]
    private let payment: Payment
    private let now: Timestamp

    /// - Throws: `StoreError`.
    public init(of payment: Payment, at now: Timestamp, in reader: any StoreReader) throws {
        self.waiting = try Administration.waitingApprovals(of: payment.id, at: now, in: reader)
        let query = ApprovalQuery(paymentID: payment.id, limit: Administration.reportPageCount)
        self.decided = try reader.approvals(query).reversed().filter { $0.state(at: now) != .waiting }
        (self.payment, self.now) = (payment, now)
    }

    /// The members of the payment.
    public var members: [(name: String, value: JSON)] {
        [
            ("approvals", .array(self.waiting.map { .object($0.waitingView) })),
            ("decidedApprovals", .array(self.decided.map { .object($0.decidedView(of: self.payment, at: self.now)) })),
        ]
    }
}

/// A payment as somebody sees it who decides about an act on it.
public struct ApprovalSubject: Sendable {
    public let payment: Payment
    private let orderReference: String?
    /// All that wait for the payment.
    private let waiting: [Approval]

    /// - Throws: `StoreError`.
    public init(_ payment: Payment, at now: Timestamp, in reader: any StoreReader) throws {
        self.payment = payment
        self.orderReference = try PaymentNames(of: [payment], in: reader).reference(of: payment)
        self.waiting = try Administration.waitingApprovals(of: payment.id, at: now, in: reader)
    }

    /// - Parameter approval: which of the acts on the payment is decided about.
    public func view(for approval: ApprovalID) -> JSONObject {
        let others = self.waiting.filter { $0.id != approval }
        var object = JSONObject()
        object["orderReference"] = .string(orNull: self.orderReference)
        object["card"] = .object(self.payment.instrument.view)
        object["state"] = .string(self.payment.state.rawValue)
        object["currency"] = .string(self.payment.amount.currency.code)
        object["captured"] = .string(self.payment.capturedAmount.decimalText)
        object["refunded"] = .string(self.payment.refundedAmount.decimalText)
        object["waiting"] = .array(others.map { .object($0.waitingView) })
        return object
    }
}

extension Approval {
    /// What is to be done with the payment that it is about.
    public var act: String { self.operation == Self.voidOperation ? "void" : "refund" }

    /// As it stands at the payment that it is about.
    public var waitingView: JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["act"] = .string(self.act)
        object["amount"] = .string(orNull: self.amount?.decimalText)
        object["currency"] = .string(orNull: self.amount?.currency.code)
        object["askedBy"] = .string(self.askedBy.actor)
        object["askedAt"] = .string(self.askedAt.description)
        object["endsAt"] = .string(self.endsAt.description)
        return object
    }
}
