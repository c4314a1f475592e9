//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Money
import Payments
import StrictJSON
import Time

extension TapPay {
    /// Refunds what has been captured; before the capture, takes the whole authorization back (TapPay, "Reference",
    /// 5. Partial Refund: a part can be refunded only once the trade is captured).
    func refund(_ call: BackEndCall) async throws(TapPayFailure) -> JSONObject {
        let request = try RefundRequest(reading: call.body)
        let payment = try await self.refundableTrade(request.recTradeID, of: call.merchant)
        let context = try call.context("refund", name: request.bankRefundID)
        let action = try request.action(on: payment)
        let outcome: OperationOutcome
        do throws(GatewayRefusal) {
            outcome = try await self.gateway.fresh(
                TradeReference.refundID, bytesCount: TradeNumber.randomBytesCount
            ) { random throws(GatewayRefusal) in
                let refundID = TradeNumber(at: self.gateway.now(), random: random).refundID
                var fields = [LabelField.refundID: refundID]
                fields[LabelField.bankRefundID] = request.bankRefundID
                var command = FollowUpCommand(
                    context: context, payment: .payment(payment.id), action: action,
                    labels: OperationLabels(reference: request.bankRefundID, fields: fields),
                    references: [TradeReference.refundID(refundID)])
                command.wireUnit = payment.amount.currency.minorUnitsPerWireUnit
                return try await self.gateway.followUp(command)
            }
        } catch {
            throw Self.refundFailure(error, named: request.bankRefundID != nil)
        }
        // The first answer is given again, but not for a refund that was cancelled or came to nothing.
        if outcome.isRepeat,
            try await self.trade(request.recTradeID, of: call.merchant).isUndone(outcome.operation.id)
        {
            let name = Self.refundName(isOfBody: request.bankRefundID != nil)
            throw TapPayFailure(.refundError, "This refund has been cancelled, or came to nothing. Use a new \(name).")
        }
        return self.refundAnswer(outcome)
    }

    /// The trade to refund. Of one that there is not the vendor's sandbox says another number here than elsewhere.
    private func refundableTrade(
        _ recTradeID: String, of merchant: MerchantContext
    ) async throws(TapPayFailure) -> Payment {
        do throws(TapPayFailure) {
            return try await self.trade(recTradeID, of: merchant)
        } catch {
            throw error.code == .invalidRecTradeID ? TapPayFailure(.refundedTradeNotFound, error.detail) : error
        }
    }

    /// What the merchant gave the refund its name with.
    private static func refundName(isOfBody: Bool) -> String {
        isOfBody ? "bank_refund_id" : "header Idempotency-Key"
    }

    private static func refundFailure(_ refusal: GatewayRefusal, named isNamedInBody: Bool) -> TapPayFailure {
        CallNotes.note(refusal)
        return switch refusal {
        case .idempotencyConflict:
            TapPayFailure(
                .refundError,
                "The \(self.refundName(isOfBody: isNamedInBody)) has been used for another refund. Use a new one.")
        // Captured between the look and the void.
        case .payment(.alreadyCaptured):
            TapPayFailure(.transactionPending, "The trade has just been captured. Send it again.")
        default: TapPayFailure(backEnd: refusal)
        }
    }

    private func refundAnswer(_ outcome: OperationOutcome) -> JSONObject {
        let refund = outcome.operation
        let standing = OperationStanding(refund)
        var answer = TapPayFailure(standing.code, standing.detail).members
        answer["rec_trade_id"] = .string(outcome.payment.recTradeID)
        answer["refund_id"] = .string(refund.labels.fields[LabelField.refundID] ?? "")
        answer["bank_refund_id"] = refund.labels.fields[LabelField.bankRefundID].map(JSON.string)
        answer["bank_refund_order_number"] = .string(refund.answer.reference ?? "")
        answer["refund_amount"] = refund.movedAmount.wireJSON
        answer["currency"] = .string(refund.amount.currency.code)
        answer["is_captured"] = .bool(refund.kind == .refund)
        answer["bank_result_code"] = .string(refund.answer.responseCode ?? "")
        answer["bank_result_msg"] = .string(standing.bankMessage)
        return answer
    }
}

/// What refund asks.
struct RefundRequest: Sendable {
    let recTradeID: String
    /// In the wire's unit; `nil` for all that is left.
    let units: Int64?
    /// The merchant's own name for the refund, under which it is made once.
    let bankRefundID: String?

    init(reading body: BackEndBody) throws(TapPayFailure) {
        self.recTradeID = try body.recTradeID()
        self.units = try body.optionalInteger("amount", invalid: .invalidAmount)
        // What is there and empty is somebody's part of which nothing is known: to give all back would be a guess.
        if body.object["amount"]?.isNull == true || body.value("amount")?.string == "" {
            throw TapPayFailure(.invalidAmount, "The amount is empty. Leave it out to refund all that is left.")
        }
        if let units = self.units, units <= 0 {
            throw TapPayFailure(.invalidAmount, "Leave amount out to refund all of it.")
        }
        // The vendor has no number for it: 670 is about refund_id.
        self.bankRefundID = try body.optionalText(
            "bank_refund_id", outOfRange: .wrongJSONFormat, charactersMax: 40, form: .line)
        _ = try body.optionalText("additional_data", outOfRange: .invalidAdditionalData, charactersMax: 5000)
    }

    func action(on payment: Payment) throws(TapPayFailure) -> FollowUpCommand.Action {
        var amount: Money?
        if let units = self.units {
            guard let money = WireCurrency(payment.amount.currency)?.money(units) else {
                throw TapPayFailure(.invalidAmount)
            }
            amount = money
        }
        let isCaptured = payment.capturedAmount.isPositive || payment.pendingCapture != nil
        if isCaptured || payment.authorization?.state != .succeeded || payment.state == .voided {
            return .refund(amount)
        }
        guard let amount, amount != payment.authorizedAmount else { return .void(nil) }
        if amount > payment.authorizedAmount { throw TapPayFailure(.refundAmountOutOfRange) }
        throw TapPayFailure(
            .partialRefundOfAuthorization,
            "A part can be refunded once the trade is captured. Capture it with /tpc/transaction/cap, or refund all."
        )
    }
}

// MARK: - Taking a refund back

extension TapPay {
    /// Takes a refund back on the day on which it was made.
    func cancelRefund(_ call: BackEndCall) async throws(TapPayFailure) -> JSONObject {
        let recTradeID = try call.body.recTradeID()
        let refundID = try call.body.optionalText("refund_id", outOfRange: .invalidRefundID, charactersMax: 40)
        let payment = try await self.trade(recTradeID, of: call.merchant)
        let context = try call.context("refund/cancel", name: nil)
        // Before the refund is looked at: the first call has left none to take back, or one that was made since.
        if let earlier = try await self.earlier(context) { return self.refundCancelAnswer(earlier) }
        let refund = try self.cancelableRefund(refundID, of: payment)
        let outcome = try await self.void(
            FollowUpCommand(context: context, payment: .payment(payment.id), action: .void(.operation(refund.id))),
            voidedBefore: TapPayFailure(.invalidRefundID, "The refund has been cancelled."),
            otherwise: [
                .operationNotSupported: TapPayFailure(
                    .refundCancelNotSupported, "The bank takes no refund back. Charge the customer anew.")
            ])
        return self.refundCancelAnswer(outcome)
    }

    private func refundCancelAnswer(_ outcome: OperationOutcome) -> JSONObject {
        let payment = outcome.payment
        let refund = outcome.operation.target.flatMap(payment.operation) ?? outcome.operation
        let standing = OperationStanding(outcome.operation)
        var answer = TapPayFailure(standing.code, standing.detail).members
        answer["rec_trade_id"] = .string(payment.recTradeID)
        answer["currency"] = .string(payment.amount.currency.code)
        answer["result"] = [
            "success": .bool(outcome.operation.state == .succeeded),
            "refund_id": .string(refund.labels.fields[LabelField.refundID] ?? ""),
            "amount": refund.movedAmount.wireJSON,
            "bank_result_code": .string(outcome.operation.answer.responseCode ?? ""),
            "bank_result_msg": .string(standing.bankMessage),
        ]
        return answer
    }

    /// The refund that is named, or the only one: without a name, the same request once more would take back another.
    private func cancelableRefund(_ refundID: String?, of payment: Payment) throws(TapPayFailure) -> Operation {
        if let refundID, payment.authorizationVoid?.labels.fields[LabelField.refundID]?.isExactly(refundID) == true {
            throw TapPayFailure(
                .refundCancelNotSupported, "The refund took the authorization back before the capture; that is final.")
        }
        let refunds = payment.operations.filter { operation in
            guard operation.kind == .refund else { return false }
            // One of which nobody knows yet may be what is meant.
            guard let refundID else { return operation.state == .succeeded || !operation.state.isResolved }
            return operation.labels.fields[LabelField.refundID]?.isExactly(refundID) == true
        }
        guard refundID != nil || refunds.count < 2 else {
            throw TapPayFailure(
                .invalidRefundID, "The trade has been refunded \(refunds.count) times: say with refund_id which.")
        }
        guard let refund = refunds.last else { throw TapPayFailure(.invalidRefundID, "The trade has no such refund.") }
        if refund.state == .succeeded, payment.isUndone(refund.id) {
            throw TapPayFailure(.invalidRefundID, "The refund has been cancelled.")
        }
        guard refund.state.isResolved else { throw TapPayFailure(.transactionPending) }
        guard TaipeiTime.isSameDay(refund.occurredAt, self.gateway.now()) else {
            throw TapPayFailure(
                .refundCancelNotSupported, "A refund can be cancelled on its own day, in Taipei, and no longer.")
        }
        return refund
    }
}
