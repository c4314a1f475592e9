//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import StrictJSON

extension Radial {
    /// The name under which the cancellation of a rest keeps what it gives back, in minor units.
    private static let canceledField = "canceled"

    /// Takes an authorization back: the whole, or what has not been settled of it, for which the authorization's total
    /// becomes what has been.
    func cancel(
        _ message: XMLElement, tender: TenderType, _ merchant: MerchantContext
    ) async throws(RadialFault) -> XMLNode {
        try MessageRules.authorizationCancel.check(message)
        let request = try CancelRequest(message, tender: tender)
        let payment = try await self.payment(request.account, tender, merchant)
        try Self.check(request, of: payment)
        // Nothing is held, which is no fault: a shop that was answered TIMEOUT, or a decline, could not cancel its order.
        if payment.state.cameToNothing {
            return .acknowledgement(.fail, requestID: request.requestID, orderID: request.account.orderID)
        }
        let outcome: OperationOutcome
        do throws(RadialFault) {
            outcome = try await self.followUp(self.cancellation(of: payment, request, merchant))
        } catch {
            // Where the acquirer changes no totals, the rest lapses with the authorization.
            guard error.code == .operationNotAllowed, payment.cancelableRest != nil else { throw error }
            throw RadialFault(.alreadySettled)
        }
        if outcome.isRepeat, !outcome.operation.labels.reference.isExactly(request.requestID) {
            do throws(GatewayRefusal) {
                try await self.gateway.notifyAgain(
                    of: outcome.operation.id, of: payment.id, merchant: merchant)
            } catch {
                throw RadialFault(refusal: error)
            }
        }
        return .acknowledgement(
            of: outcome.operation, requestID: request.requestID, orderID: request.account.orderID)
    }

    /// A merchant that asks for less than there is to cancel means something else: nothing would be held for the rest of the
    /// order. And one that asks for the whole where a part has been settled does not know of that: he would take success for
    /// the end of a payment that has been taken in part.
    private static func check(_ request: CancelRequest, of payment: Payment) throws(RadialFault) {
        let amount = request.amount
        guard amount.currency == payment.amount.currency else { throw RadialFault(.currencyDiffers) }
        // One that has failed is answered again to whoever sends the very same.
        let isRepeat = payment.cancellations.contains {
            self.canceledAmount($0, of: payment) == amount
                && (!$0.state.isFailed || $0.labels.reference.isExactly(request.requestID))
        }
        guard !isRepeat, amount != payment.cancelableRest else { return }
        // What a settlement that failed late has left is the whole of what is held.
        guard amount == payment.amount || amount == payment.authorizedAmount else {
            // After a final debit there is no rest whose amount could be right.
            guard let debit = payment.finalCapture else { throw RadialFault(.cancelAmountDiffers) }
            throw RadialFault(debit.state.isResolved ? .finalDebitMade : .operationPending)
        }
        guard !payment.capturedAmount.isPositive else { throw RadialFault(.alreadySettled) }
    }

    private func cancellation(
        of payment: Payment, _ request: CancelRequest, _ merchant: MerchantContext
    ) -> FollowUpCommand {
        var action = FollowUpCommand.Action.void(nil)
        var fields: [String: String] = [:]
        if let rest = payment.cancelableRest {
            action = .adjust(payment.capturedAmount)
            fields[Self.canceledField] = String(rest.minorUnits)
        }
        var command = FollowUpCommand(
            context: CallContext(merchant: merchant, idempotency: request.idempotency), payment: .payment(payment.id),
            action: action,
            labels: OperationLabels(
                reference: request.requestID, notifySettings: AccountSettings.cancellationAddresses, fields: fields))
        command.earlier = { Self.cancellation(like: request, of: $0)?.id }
        return command
    }

    /// The cancellation that a request asks for once more, under another requestId.
    private static func cancellation(like request: CancelRequest, of payment: Payment) -> Operation? {
        let cancellations = payment.cancellations
        guard !cancellations.contains(where: { $0.labels.reference.isExactly(request.requestID) }) else { return nil }
        return cancellations.last {
            !$0.state.isFailed && self.canceledAmount($0, of: payment) == request.amount
        }
    }

    /// What a cancellation gives back, or would have.
    static func canceledAmount(_ cancellation: Operation, of payment: Payment) -> Money {
        let rest = cancellation.labels.fields[self.canceledField].flatMap { Int64($0) }
        return rest.map { Money(minorUnits: $0, currency: payment.amount.currency) }
            ?? cancellation.movedAmount
    }
}

extension Payment {
    /// Authorizations are adjusted for nothing else in this dialect, and by no operator.
    var cancellations: [Operation] {
        self.operations.filter { $0.kind == .adjustment || ($0.kind == .void && $0.target == nil) }
    }

    /// What is still held of an authorization of which a part has been settled.
    fileprivate var cancelableRest: Money? {
        self.capturedAmount.isPositive && self.capturableAmount.isPositive ? self.capturableAmount : nil
    }
}
