//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Time

// What an operator does to a payment is a follow-up like a dialect's: the same commits, the same limits, the same recovery.
// The commit that begins it writes the audit log, too.

extension Gateway {
    /// Captures, voids or refunds on an operator's behalf, also of a merchant that is suspended or closed.
    ///
    /// Returns also for a decline and for an outcome that is not known yet; read the operation's state.
    /// - Throws: ``GatewayRefusal``: `paymentNotFound`, `idempotencyConflict`, `operationNotSupported`,
    ///   `amountNotSupported`, `acquirerNotConnected`, `payment(_:)`, `storeUnavailable`. Then nothing was begun, and
    ///   nothing stands in the log.
    @_spi(Administration)
    public func act(_ command: OperatorCommand) async throws(GatewayRefusal) -> OperationOutcome {
        guard let payment = try await self.reading({ try $0.payment(command.payment) }) else { throw .paymentNotFound }
        if case .refund(_, .some(let capture)) = command.action, payment.operation(capture)?.kind != .capture {
            throw .payment(.operationNotFound)
        }
        let merchant = try await self.operatorsContext(of: payment)
        let idempotency = CallContext.Idempotency(
            operation: Self.operatorsOperation, key: command.key, digest: command.digest)
        var followUp = FollowUpCommand(
            context: CallContext(merchant: merchant, idempotency: idempotency), payment: .payment(payment.id),
            action: command.action.followUp(of: payment))
        followUp.wireUnit = command.wireUnit(payment)
        followUp.operatorAct = OperatorAct(command, of: merchant)
        return try await self.followUp(followUp)
    }

    /// What the acquirer of a payment can do.
    ///
    /// - Throws: ``GatewayRefusal/acquirerNotConnected`` for an account that cannot be opened;
    ///   ``GatewayRefusal/storeUnavailable``.
    @_spi(Administration)
    public func capabilities(of payment: Payment) async throws(GatewayRefusal) -> AcquirerCapabilities {
        guard let account = try await self.acquirer(of: payment) else { throw .acquirerNotConnected }
        return account.capabilities
    }

    /// No dialect calls an operation so: their names for operations are fixed, and none has this one.
    private static let operatorsOperation = "operator"

    /// The merchant of a payment, also where its account in the dialect cannot be opened: money is given back without it.
    private func operatorsContext(of payment: Payment) async throws(GatewayRefusal) -> MerchantContext {
        if let context = try await self.merchantContext(of: payment) { return context }
        let found = try await self.reading { try $0.merchant(payment.merchantID) }
        guard let merchant = found else { throw .paymentNotFound }
        return MerchantContext(
            merchant: merchant, dialect: payment.dialect, accountKey: "", settings: [:],
            keys: AccountKeys(settings: [:], secrets: [:]), acceptors: [:])
    }

    /// Claims the key that a dialect's own call would have claimed.
    static func claim(
        _ claim: CallContext.Idempotency?, _ operationID: OperationID, of payment: Payment, at now: Timestamp,
        in transaction: any StoreTransaction
    ) throws {
        guard let claim else { return }
        let key = IdempotencyKey(
            merchantID: payment.merchantID, dialect: payment.dialect, operation: claim.operation, key: claim.key)
        guard try transaction.claim(key) == nil else { throw GatewayRefusal.idempotencyConflict }
        try transaction.insert(
            IdempotencyClaim(
                key: key, digest: claim.digest, subject: .operation(payment.id, operationID), createdAt: now))
    }
}

extension OperatorCommand {
    /// SHA-256 of what is asked for. The reason is none of it.
    fileprivate var digest: [UInt8] {
        let parts: [String] =
            switch self.action {
            case .capture(let amount, let isFinal):
                ["capture", amount?.description ?? "all", isFinal ? "final" : "not final"]
            case .void: ["void"]
            case .refund(let amount, let capture): ["refund", amount?.description ?? "all", capture?.text ?? "any"]
            }
        return requestDigest(([self.payment.text] + parts).joined(separator: "/").utf8)
    }
}

extension OperatorCommand.Action {
    fileprivate func followUp(of payment: Payment) -> FollowUpCommand.Action {
        switch self {
        case .capture(let amount, let isFinal): .capture(amount, isFinal: isFinal)
        // Whether it is a sale is known since it began, and never changes.
        case .void: .void(payment.authorization?.isSale == true ? .payment(payment.id) : nil)
        case .refund(let amount, let capture): .refund(amount, of: capture.map { .operation($0) })
        }
    }
}
