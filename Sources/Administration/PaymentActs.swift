//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
@_spi(Administration) public import Gateway
public import Money
public import Payments
import Settings
import Synchronization

/// What an operator does to a payment, past the shop that has made it.
extension Administration {
    /// Captures what is authorized, or a part of it.
    ///
    /// Returns also for a decline and for an outcome that is not known yet: read the operation's state. Recovery then finds
    /// out, as of any operation. The act stands in the audit log from the commit that begins it, whatever its end.
    /// - Parameters:
    ///   - amount: `nil` for all that is left.
    ///   - isFinal: whether the rest of the authorization is given back.
    ///   - key: 1–255 characters. Asked again with the same key, the same act is answered again and not done again. A key
    ///     names one act among all those on the merchant's payments of a dialect.
    ///   - reason: a line of 1–255 characters, for the audit log; whether it is the same makes no difference to the key.
    ///   - plans: of all dialects: they say how the shop's wire knows the operation, and where the shop is notified of it.
    /// - Throws: ``PaymentActError``: nothing was done, and nothing stands in the log.
    public func capture(
        _ payment: PaymentID, amount: Money?, isFinal: Bool, key: String, reason: String?, plans: [AccountPlan]
    ) async throws(PaymentActError) -> OperationOutcome {
        try await self.act(on: payment, .capture(amount, isFinal: isFinal), key, reason, plans)
    }

    /// Takes back the authorization before anything is captured, or a sale before anything is refunded. The latter gives
    /// back all that is captured, and needs what a refund of that needs.
    ///
    /// Parameters, returns and throws as ``capture(_:amount:isFinal:key:reason:plans:)``.
    public func void(
        _ payment: PaymentID, key: String, reason: String?, plans: [AccountPlan]
    ) async throws(PaymentActError) -> OperationOutcome {
        try await self.void(payment, key: key, reason: reason, approval: nil, plans)
    }

    /// - Parameter approval: what allows it, whatever is the policy now.
    func void(
        _ payment: PaymentID, key: String, reason: String?, approval: Approval?, _ plans: [AccountPlan]
    ) async throws(PaymentActError) -> OperationOutcome {
        try await self.act(on: payment, .void, key, reason, plans, approval: approval)
    }

    /// Gives back what is captured, or a part of it.
    ///
    /// Parameters, returns and throws as ``capture(_:amount:isFinal:key:reason:plans:)``.
    /// - Parameters:
    ///   - amount: `nil` for all that is left.
    ///   - capture: of several, the one to take it from; `nil` for the one of which just that much is left, else the
    ///     smallest that has enough (``Payment/capture(refunding:by:)``).
    public func refund(
        _ payment: PaymentID, amount: Money?, of capture: OperationID? = nil, key: String, reason: String?,
        plans: [AccountPlan]
    ) async throws(PaymentActError) -> OperationOutcome {
        try await self.refund(payment, amount: amount, of: capture, key: key, reason: reason, approval: nil, plans)
    }

    /// - Parameter approval: what allows it, whatever is the policy now.
    func refund(
        _ payment: PaymentID, amount: Money?, of capture: OperationID?, key: String, reason: String?,
        approval: Approval?, _ plans: [AccountPlan]
    ) async throws(PaymentActError) -> OperationOutcome {
        try await self.act(on: payment, .refund(amount, of: capture), key, reason, plans, approval: approval)
    }

    /// What an operator can do to a payment as it stands now, by its own rules, its acquirer and its dialect. Where the
    /// account cannot be opened, the acquirer's part is left out: such a payment is one to be looked at and decided.
    ///
    /// - Throws: ``PaymentActError`` `payment_unknown`, `store_unavailable`.
    public func possibleActs(
        of id: PaymentID, plans: [AccountPlan]
    ) async throws(PaymentActError) -> PossibleActs {
        let found: Payment?
        do {
            found = try await self.read { try $0.payment(id) }
        } catch {
            throw PaymentActError(.storeUnavailable, GatewayRefusal.storeUnavailable.explanation)
        }
        guard let payment = found else { throw PaymentActError(unknown: id) }
        return payment.possibleActs(try? await self.gateway.capabilities(of: payment), plans.of(payment))
    }

    private func act(
        on id: PaymentID, _ action: OperatorCommand.Action, _ key: String, _ reason: String?, _ plans: [AccountPlan],
        approval: Approval? = nil
    ) async throws(PaymentActError) -> OperationOutcome {
        try Self.check(key: key, reason: reason)
        var command = OperatorCommand(payment: id, action: action, key: key, reason: reason) { operation in
            guard let plan = plans.of(operation.payment) else { return OperatorMark() }
            return plan.operatorMark(operation)
        }
        command.wireUnit = { payment in plans.of(payment)?.wireUnit(payment) ?? 1 }
        let denial = Denial()
        command.permit = { amount, payment, transaction in
            denial.set(nil)
            guard action.givesMoneyBack(of: payment) else { return [:] }
            let permit = try self.permitRefund(of: amount, payment, approval: approval, in: transaction)
            if case .allowed(let notes) = permit { return notes }
            // The commit's own refusals have no words for it.
            denial.set(PaymentActError(permit, of: amount))
            throw GatewayRefusal.operationNotSupported
        }
        do throws(GatewayRefusal) {
            return try await self.gateway.act(command)
        } catch {
            if let denied = denial.error { throw denied }
            throw PaymentActError(error, on: id, action, try? await self.possibleActs(of: id, plans: plans))
        }
    }

    private static func check(key: String, reason: String?) throws(PaymentActError) {
        guard SettingRules.isLine(key) else {
            throw PaymentActError(.keyMalformed, "A key is a line of 1 to 255 characters.")
        }
        guard reason.map(SettingRules.isLine) != false else {
            throw PaymentActError(.reasonMalformed, "A reason is a line of 1 to 255 characters.")
        }
    }
}

/// Why a commit refused for a reason that the gateway has no word for.
private final class Denial: Sendable {
    private let held = Mutex<PaymentActError?>(nil)

    var error: PaymentActError? { self.held.withLock { $0 } }

    func set(_ error: PaymentActError?) { self.held.withLock { $0 = error } }
}

extension OperatorCommand.Action {
    /// Whether the customer gets money back that the merchant has: by a refund, and by a void of what is captured.
    fileprivate func givesMoneyBack(of payment: Payment) -> Bool {
        switch self {
        case .capture: false
        case .void: payment.amountGivenBackByVoid != nil
        case .refund: true
        }
    }
}

extension Payment {
    /// What a void would give back of captured money; `nil` where it releases an authorization and moves nothing.
    public var amountGivenBackByVoid: Money? {
        let isCaptured = self.authorization?.isSale == true || self.capturedAmount.isPositive
        return isCaptured ? self.capturedAmount : nil
    }
}

extension [AccountPlan] {
    fileprivate func of(_ payment: Payment) -> AccountPlan? { self.first { $0.dialect == payment.dialect } }
}
