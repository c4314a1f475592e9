//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments

/// Asks for a capture, a void or a refund on an operator's behalf, past the payment's dialect.
@_spi(Administration)
public struct OperatorCommand: Sendable {
    public enum Action: Hashable, Sendable {
        /// `nil` captures all that is left.
        case capture(Money?, isFinal: Bool)
        /// Takes back the authorization, or the whole sale.
        case void
        /// `nil` refunds all that is left: of the capture named, or of whatever has been captured.
        case refund(Money?, of: OperationID? = nil)
    }

    public let payment: PaymentID
    public let action: Action
    /// Whoever asks again with it is answered as before, and nothing is done again. One namespace for all acts on the
    /// merchant's payments of a dialect, apart from those of the dialect's own calls.
    public let key: String
    /// For the audit log.
    public let reason: String?
    /// How the payment's dialect knows the operation; `nil` where it has no word for it.
    public let mark: @Sendable (OperatorOperation) -> OperatorMark?
    /// ``FollowUpCommand/wireUnit`` of a payment, by its dialect.
    public var wireUnit: @Sendable (Payment) -> Int64 = { _ in 1 }
    /// Asked in the commit that begins the operation, with its amount as that commit has it: what it throws refuses it.
    /// It returns what the audit log says besides.
    public var permit: @Sendable (Money, Payment, any StoreTransaction) throws -> [String: String] = { _, _, _ in [:] }

    public init(
        payment: PaymentID, action: Action, key: String, reason: String?,
        mark: @escaping @Sendable (OperatorOperation) -> OperatorMark?
    ) {
        self.payment = payment
        self.action = action
        self.key = key
        self.reason = reason
        self.mark = mark
    }
}

/// An operation that an operator begins: what the payment's dialect may look at to say how its wire knows it.
public struct OperatorOperation: Sendable {
    public let id: OperationID
    public let action: OperationRequest.Action
    /// As it stands in the commit that begins the operation.
    public let payment: Payment
    public let order: Order?

    public init(id: OperationID, action: OperationRequest.Action, payment: Payment, order: Order?) {
        self.id = id
        self.action = action
        self.payment = payment
        self.order = order
    }

    /// Whether it takes back what is captured already: a sale as a whole.
    public var voidsMoney: Bool {
        guard case .void = self.action else { return false }
        return self.payment.authorization?.isSale == true
    }
}

/// How a dialect's wire knows an operation that none of its own calls has made, as the vendor's system does of what is done
/// in the vendor's portal.
public struct OperatorMark: Hashable, Sendable {
    /// With the address to which its end is reported, as far as the merchant gave one that takes such reports.
    public var labels: OperationLabels
    public var references: [ReferenceName]
    /// The key that a call of the dialect's own would have claimed for it, so that none can claim it any more.
    public var claim: CallContext.Idempotency?

    public init(
        labels: OperationLabels = OperationLabels(), references: [ReferenceName] = [],
        claim: CallContext.Idempotency? = nil
    ) {
        self.labels = labels
        self.references = references
        self.claim = claim
    }
}

extension Operation {
    /// Whether an operator has begun it, and no call of the payment's dialect.
    public var isOperators: Bool { self.labels.fields[OperatorAct.field] == OperatorAct.word }
}

/// What is written beside an operation that an operator begins.
struct OperatorAct: Sendable {
    /// Under which label the operation says who has begun it.
    static let field = "by"
    static let word = "operator"

    private let command: OperatorCommand
    private let merchantName: String

    init(_ command: OperatorCommand, of merchant: MerchantContext) {
        self.command = command
        self.merchantName = merchant.merchant.name
    }

    func mark(
        _ id: OperationID, _ action: OperationRequest.Action, of payment: Payment, _ order: Order?
    ) -> OperatorMark? {
        let operation = OperatorOperation(id: id, action: action, payment: payment, order: order)
        var mark = self.command.mark(operation)
        mark?.labels.fields[Self.field] = Self.word
        return mark
    }

    /// Whether whoever acts may: an operation as the commit that begins it has it.
    ///
    /// - Returns: what the log says besides.
    func permit(
        _ id: OperationID, in payment: Payment, _ transaction: any StoreTransaction
    ) throws -> [String: String] {
        guard let amount = payment.operation(id)?.amount else { return [:] }
        return try self.command.permit(amount, payment, transaction)
    }

    /// The line of the audit log.
    func entry(of id: OperationID, in payment: Payment, _ notes: [String: String]) -> AuditDraft {
        var details = notes
        details["operation"] = id.text
        details["merchant"] = self.merchantName
        details["amount"] = payment.operation(id)?.amount.description
        details["reason"] = self.command.reason
        if case .capture(_, isFinal: true) = self.command.action { details["final"] = "true" }
        return AuditDraft(self.command.action.act, payment.id.text, details)
    }
}

extension OperatorCommand.Action {
    fileprivate var act: AuditAct {
        switch self {
        case .capture: .paymentCapture
        case .void: .paymentVoid
        case .refund: .paymentRefund
        }
    }
}
