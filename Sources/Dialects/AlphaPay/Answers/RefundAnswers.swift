//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StrictJSON
import Time

extension AlphaPay {
    /// The answer of `refund`.
    func refundAnswer(_ refund: Operation, of payment: Payment) -> JSON {
        var answer = self.refundFields(refund, of: payment)
        answer["result"] = Self.result(of: refund, inProcess: .refundInProcess).json
        return .object(answer)
    }

    /// The answer of `inquiryRefund`, and a refund's notification: `result` is that of the inquiry, `refundStatus` of
    /// the refund.
    func refundInquiryAnswer(_ refund: Operation, of payment: Payment) -> JSON {
        let status = RefundStatus(refund.state)
        var answer = self.refundFields(refund, of: payment)
        answer["refundStatus"] = .string(status.rawValue)
        if case .failed(let failure) = refund.state {
            let result = AlphaPayResult(ofRefund: failure)
            answer["refundResultCode"] = .string(result.code.rawValue)
            answer["refundResultMessage"] = .string(result.message)
        }
        answer["result"] = AlphaPayResult.inquiry(status == .inProcess ? .refundInProcess : .success).json
        return .object(answer)
    }

    private func refundFields(_ refund: Operation, of payment: Payment) -> JSONObject {
        var wireRefund = JSONObject()
        wireRefund["refundAmount"] = WireAmount.json(refund.amount)
        wireRefund["description"] = refund.labels.memo.map(JSON.string)
        if !refund.isReportedAsPayment { wireRefund["notifyUrl"] = refund.labels.notifyURL.map(JSON.string) }
        var answer = JSONObject()
        answer["refundId"] = .string(refund.id.text)
        answer["paymentId"] = (payment.orderID?.text).map(JSON.string)
        answer["refundRequestId"] = refund.labels.reference.map(JSON.string)
        answer["refund"] = .object(wireRefund)
        // When it was asked for: that is known of every refund.
        answer["refundTime"] = .string(refund.begunAt.rfc3339Seconds)
        return answer
    }
}
