//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import StrictJSON
import Time

/// `action` of a trade's history. The vendor does not publish its numbers; these are this gateway's.
enum TradeAction: Int, Hashable, Sendable {
    case authorization = 0
    case capture = 1
    case refund = 3
    /// The capture was taken back.
    case cancel = 5
    case refundCancel = 6

    /// - Returns: `nil` for what is ours and not the merchant's.
    init?(_ operation: Operation, of payment: Payment) {
        switch operation.kind {
        case .authorization: self = .authorization
        case .capture: self = .capture
        case .refund: self = .refund
        case .void:
            switch payment.voidable(by: operation.target) {
            case .capture: self = .cancel
            case .refund: self = .refundCancel
            case .authorization, .sale: self = .refund
            }
        case .adjustment, .verification, .reversal, .lateFailure, .chargeback: return nil
        }
    }
}

extension TapPay {
    /// All that has been asked of the bank for a trade, oldest first.
    func tradeHistory(_ call: BackEndCall) async throws(TapPayFailure) -> JSONObject {
        let recTradeID = try call.body.recTradeID()
        let payment = try await self.trade(recTradeID, of: call.merchant)
        var answer = TapPayFailure(.success).members
        answer["rec_trade_id"] = .string(recTradeID)
        answer["bank_order_number"] = .string(payment.authorization?.answer.reference ?? "")
        answer["currency"] = .string(payment.amount.currency.code)
        answer["trade_history"] = .array(
            payment.operations.compactMap { operation in
                TradeAction(operation, of: payment).map { self.entry(operation, $0, of: payment) }
            })
        return answer
    }

    private func entry(_ operation: Operation, _ action: TradeAction, of payment: Payment) -> JSON {
        let isPending = !operation.state.isResolved
        // What is cancelled is shown with the refund's own names.
        let refund = action == .refundCancel ? operation.target.flatMap(payment.operation) ?? operation : operation
        var entry = JSONObject()
        entry["amount"] = operation.movedAmount.wireJSON
        entry["action"] = JSON(action.rawValue)
        entry["millis"] = operation.begunAt.millisJSON
        entry["success"] = .bool(operation.state == .succeeded)
        entry["is_pending"] = .bool(isPending)
        entry["bank_transaction_millis"] = operation.occurredAt.millisJSON
        if action == .refund || action == .refundCancel {
            entry["refund_id"] = .string(refund.labels.fields[LabelField.refundID] ?? "")
            entry["bank_refund_order_number"] = .string(refund.answer.reference ?? "")
            entry["bank_refund_id"] = refund.labels.fields[LabelField.bankRefundID].map(JSON.string)
        }
        if action == .refund, operation.kind == .refund, operation.state == .succeeded, !payment.isUndone(operation.id)
        {
            entry["can_refund_cancel_millis"] = TaipeiTime.endOfDay(operation.occurredAt).millisJSON
        }
        entry["bank_result_code"] = .string(payment.bankResultCode(of: operation))
        entry["bank_result_msg"] = .string(OperationStanding(operation).bankMessage)
        return .object(entry)
    }
}
