//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Time

extension Gateway {
    /// Captures, voids, refunds or adjusts.
    ///
    /// Returns also for a decline and for an outcome that is not known yet; read the operation's state. The sums are
    /// checked in the very commit that records the pending operation, and a pending operation counts as done until it
    /// is known to have failed.
    public func followUp(_ command: FollowUpCommand) async throws(GatewayRefusal) -> OperationOutcome {
        let beganAt = self.steadyClock()
        let operationID: OperationID = self.makeID()
        let begun = try await self.beginFollowUp(command, operationID)
        guard case .begun(let payment, let order) = begun, let operation = payment.operation(operationID) else {
            return try await self.repeated(begun)
        }
        // It was opened a moment ago, or the operation would not have begun.
        guard let account = try? await self.acquirer(of: payment) else {
            return await self.finish(
                payment, operation, order, .notProcessed(NotProcessed(.notSent, "acquirer_not_connected")), nil,
                in: command.context, since: beganAt)
        }
        let outcome = await self.send(operation, of: payment, to: account, isFirst: true)
        return await self.finish(payment, operation, order, outcome, account, in: command.context, since: beganAt)
    }

    private func beginFollowUp(
        _ command: FollowUpCommand, _ operationID: OperationID
    ) async throws(GatewayRefusal) -> Beginning {
        let begun = try await self.beginFollowUp(command, operationID, nil)
        guard case .accountNotOpen(let id) = begun else { return begun }
        // Read by itself: within the transaction its row would be locked against every other payment of the account.
        guard let account = try await self.acquirer(id) else { throw .acquirerNotConnected }
        return try await self.beginFollowUp(command, operationID, account)
    }

    private func beginFollowUp(
        _ command: FollowUpCommand, _ operationID: OperationID, _ opened: OpenAcquirer?
    ) async throws(GatewayRefusal) -> Beginning {
        let merchantID = command.context.merchant.merchant.id
        let now = self.clock()
        let recoveryDue = now.adding(seconds: self.settings.recoveryGraceSeconds)
        let dialect = command.context.merchant.dialect
        let lookups = Gateway.lookups(command.context, command.references)
        return try await self.writing(expecting: lookups) { transaction in
            if let claimed = try Gateway.claimed(command.context, in: transaction) { return claimed }
            let payment = try Gateway.payment(
                command.payment, of: merchantID, dialect: dialect, in: transaction)
            if let earlier = command.earlier?(payment) { return .repeated(payment.id, earlier) }
            // Whoever has taken the plan back since it came due has been promised that nothing will be captured.
            if command.requiresPlan, try transaction.job(.capture, of: payment.id) == nil {
                throw GatewayRefusal.payment(.operationNotFound)
            }
            guard let account = opened ?? self.accounts.acquirer(payment.accountID, at: now) else {
                return .accountNotOpen(payment.accountID)
            }
            let unit = account.capabilities.unit(of: payment.amount.currency, atLeast: command.wireUnit)
            let asked = try command.action.requested(of: payment, in: unit) { selector in
                try Gateway.operation(selector, of: payment, dialect: dialect, in: transaction).id
            }
            let act = command.operatorAct
            let namesCapture = act != nil || account.capabilities.refundsOneCapture
            let action = namesCapture ? asked.namingCapture(of: payment) : asked
            let order = try payment.orderID.flatMap { try transaction.order($0) }
            let mark = act?.mark(operationID, action, of: payment, order)
            let request = OperationRequest(
                id: operationID, action: action, labels: mark?.labels ?? command.labels)
            let change = try payment.transition(on: .begin(request), at: now)
            // What the payment's own rules refuse they refuse first: that is the same with every acquirer.
            guard action.isWhole(in: unit) else { throw GatewayRefusal.amountNotSupported }
            guard account.capabilities.allows(action, of: payment), act == nil || mark != nil else {
                throw GatewayRefusal.operationNotSupported
            }
            try Gateway.requireCardData(for: action, of: payment, account.capabilities, in: transaction)
            try action.checkOneCapture(of: payment, account.capabilities)
            let notes = try act?.permit(operationID, in: change.payment, transaction) ?? [:]
            try transaction.update(change, from: payment.version)
            try Gateway.record(
                command.context, command.references + (mark?.references ?? []), .operation(payment.id, operationID),
                at: now, in: transaction)
            try Gateway.keepShortName(of: operationID, merchantID, account, in: transaction)
            try transaction.schedule(Job(kind: .recover, paymentID: payment.id, dueAt: recoveryDue))
            if let act {
                try Gateway.claim(mark?.claim, operationID, of: payment, at: now, in: transaction)
                // Last, since it locks the log.
                try self.append(act.entry(of: operationID, in: change.payment, notes), at: now, in: transaction)
            }
            return .begun(change.payment, order)
        }
    }
}

extension OperationRequest.Action {
    /// With several captures, a refund says of which it takes its money, where one of them has enough left. That is kept
    /// with it, so that it is the same whenever it is sent, and what is left of each stays known.
    fileprivate func namingCapture(of payment: Payment) -> OperationRequest.Action {
        guard case .refund(let amount, nil) = self, amount.currency == payment.amount.currency else { return self }
        return .refund(amount, of: payment.capture(refunding: amount, by: .smallest)?.id)
    }

    /// Whether the acquirer and the payment's wire can say the amount of a part.
    fileprivate func isWhole(in unit: Int64) -> Bool {
        switch self {
        case .capture(let amount, _), .refund(let amount, _): amount == amount.wholeUnits(of: unit)
        // Of a total the acquirer's terms say more.
        case .adjustment, .void, .reversal: true
        }
    }

    /// - Throws: ``PaymentRefusal/refundExceedsCaptured`` for a refund of more than one capture has left, where the
    ///   acquirer refunds one at a time.
    fileprivate func checkOneCapture(
        of payment: Payment, _ capabilities: AcquirerCapabilities
    ) throws(PaymentRefusal) {
        guard capabilities.refundsOneCapture, case .refund(_, nil) = self, payment.refundableByCapture.count > 1
        else { return }
        throw .refundExceedsCaptured
    }
}

extension FollowUpCommand.Action {
    /// The request, with "all that is left" as an amount.
    fileprivate func requested(
        of payment: Payment, in unit: Int64, find: (PaymentSelector) throws -> OperationID
    ) throws -> OperationRequest.Action {
        switch self {
        case .capture(let amount, let isFinal):
            let all = payment.all(payment.capturableAmount, most: payment.mostCapturableAmount, in: unit)
            return .capture(amount ?? all, isFinal: isFinal)
        case .void(let target): return .void(of: try target.map(find))
        case .adjust(let total): return .adjustment(total)
        case .refund(let amount, let named):
            let id = try named.map(find)
            let capture = id.flatMap(payment.operation)
            let left = capture.map(payment.refundableAmount(of:)) ?? payment.refundableAmount
            let most = capture.map(payment.mostRefundableAmount(of:)) ?? payment.mostRefundableAmount
            return .refund(amount ?? payment.all(left, most: most, in: unit), of: id)
        }
    }
}

extension Payment {
    /// How much all that is left is, in whole units. Where it can't be done, it is an amount that the rule refuses that
    /// says why: while what is under way may still leave more, nobody knows how much all is, and whoever asks for all
    /// and is answered a success asks for nothing more.
    ///
    /// - Parameter most: what is left if what is under way leaves as much as it can.
    fileprivate func all(_ left: Money, most: Money, in unit: Int64) -> Money {
        if most > left { return most }
        let whole = left.wholeUnits(of: unit)
        return whole.isPositive ? whole : self.amount
    }
}
