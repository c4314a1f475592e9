//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import StrictJSON
import Time

extension TapPay {
    /// Captures all of an authorization now. A trade that is captured already is answered as it was then.
    func capture(_ call: BackEndCall) async throws(TapPayFailure) -> JSONObject {
        let recTradeID = try call.body.recTradeID()
        let payment = try await self.trade(recTradeID, of: call.merchant)
        var command = FollowUpCommand(
            context: try call.context("cap", name: nil), payment: .payment(payment.id),
            action: .capture(nil, isFinal: true),
            labels: OperationLabels(notifyURL: payment.authorization?.labels.notifyURL))
        command.wireUnit = payment.amount.currency.minorUnitsPerWireUnit
        let outcome: OperationOutcome
        do throws(GatewayRefusal) {
            outcome = try await self.gateway.followUp(command)
        } catch .payment(let refusal) {
            let current = try await self.trade(recTradeID, of: call.merchant)
            // One that is being taken back may be gone in a moment: it is no longer answered as made.
            guard refusal != .voidPending, let capture = current.standingCapture ?? current.pendingCapture else {
                throw TapPayFailure(capture: refusal)
            }
            return self.captureAnswer(capture, of: current)
        } catch {
            throw TapPayFailure(backEnd: error)
        }
        // The first answer is given again, but not for a capture that was taken back or came to nothing.
        if outcome.isRepeat, try await self.trade(recTradeID, of: call.merchant).isUndone(outcome.operation.id) {
            throw TapPayFailure(
                .invalidRecTradeID,
                "This capture has been cancelled, or came to nothing. Use a new header Idempotency-Key to capture again."
            )
        }
        return self.captureAnswer(outcome.operation, of: outcome.payment)
    }

    private func captureAnswer(_ capture: Operation, of payment: Payment) -> JSONObject {
        let standing = OperationStanding(capture)
        let detail =
            payment.cameAfterHold(capture)
            ? "The bank holds the authorization no longer. Nothing has been captured: ask the customer to pay again."
            : standing.detail
        var answer = TapPayFailure(standing.code, detail).members
        answer["rec_trade_id"] = .string(payment.recTradeID)
        answer["currency"] = .string(payment.amount.currency.code)
        answer["cap_millis"] = capture.occurredAt.millisJSON
        answer["bank_result_code"] = .string(capture.answer.responseCode ?? "")
        answer["bank_result_msg"] = .string(standing.bankMessage)
        return answer
    }

    /// Before the capture, takes its plan back; after it, on the same day, the capture itself.
    func cancelCapture(_ call: BackEndCall) async throws(TapPayFailure) -> JSONObject {
        let recTradeID = try call.body.recTradeID()
        let payment = try await self.trade(recTradeID, of: call.merchant)
        let context = try call.context("cap/cancel", name: nil)
        // Before the trade is looked at: the first call has left nothing to take back, or what was captured since.
        if let earlier = try await self.earlier(context) {
            return self.captureCancelAnswer(OperationStanding(earlier.operation), of: payment)
        }
        guard payment.pendingCapture == nil else { throw TapPayFailure(.captureCancelCapturing) }
        guard let capture = payment.standingCapture else {
            return try await self.cancelPlannedCapture(of: payment, call, context)
        }
        // The wire knows one capture a trade; an operator can have made several.
        guard payment.capturesCount == 1 else {
            throw TapPayFailure(.captureCancelCaptured, "The trade was captured in parts. Refund it instead.")
        }
        if payment.refundedAmount.isPositive {
            throw TapPayFailure(.captureCancelCaptured, "The trade has been refunded. Cancel the refund first.")
        }
        if payment.chargedBackAmount.isPositive {
            throw TapPayFailure(
                .captureCancelCaptured,
                "The cardholder's bank has taken money of the trade back. Refund what is left instead.")
        }
        guard TaipeiTime.isSameDay(capture.occurredAt, self.gateway.now()) else {
            throw TapPayFailure(
                .captureCancelCaptured,
                "A capture can be cancelled on its own day, in Taipei. Refund the trade instead.")
        }
        // A refund that is under way may come to nothing, or give all back.
        guard payment.pendingRefund == nil else { throw TapPayFailure(.transactionPending) }
        // First the plan: it would capture again.
        try await self.takeBackCapturePlan(of: payment, call.merchant)
        let outcome = try await self.void(
            FollowUpCommand(context: context, payment: .payment(payment.id), action: .void(.operation(capture.id))),
            voidedBefore: TapPayFailure(.captureCancelNotArranged, "The capture has been taken back."),
            otherwise: [
                .payment(.alreadyRefunded): TapPayFailure(
                    .captureCancelCaptured, "Money of the trade has been given back. Refund what is left instead.")
            ])
        return self.captureCancelAnswer(OperationStanding(outcome.operation), of: payment)
    }

    private func cancelPlannedCapture(
        of payment: Payment, _ call: BackEndCall, _ context: CallContext
    ) async throws(TapPayFailure) -> JSONObject {
        guard payment.authorization?.state == .succeeded, payment.capturableAmount.isPositive else {
            throw TapPayFailure(
                payment.authorization?.state.isResolved == false ? .transactionPending : .captureCancelNotArranged)
        }
        let wasPlanned: Bool
        do throws(GatewayRefusal) {
            wasPlanned = try await self.gateway.withdrawCapture(
                of: .payment(payment.id), merchant: call.merchant, idempotency: context.idempotency)
        } catch .payment(.capturePending) {
            throw TapPayFailure(.captureCancelCapturing)
        } catch .payment(let refusal) {
            // Captured since the look: then the capture itself is taken back.
            guard try await self.trade(payment.recTradeID, of: call.merchant).standingCapture != nil else {
                throw TapPayFailure(capture: refusal)
            }
            return try await self.cancelCapture(call)
        } catch {
            throw TapPayFailure(backEnd: error)
        }
        guard wasPlanned else { throw TapPayFailure(.captureCancelNotArranged) }
        var answer = TapPayFailure(.success).members
        answer["rec_trade_id"] = .string(payment.recTradeID)
        answer["currency"] = .string(payment.amount.currency.code)
        return answer
    }

    private func captureCancelAnswer(_ standing: OperationStanding, of payment: Payment) -> JSONObject {
        var answer = TapPayFailure(standing.code, standing.detail).members
        answer["rec_trade_id"] = .string(payment.recTradeID)
        answer["currency"] = .string(payment.amount.currency.code)
        return answer
    }
}
