//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import TestUpstream

/// Answers of AlphaPay's, about the order, the sale and the refund of ``Bench``.
enum TestAnswer {
    static func order(
        status: String = "U", code: String = "PAYMENT_IN_PROCESS", paymentID: String = Bench.orderID,
        requestID: String = Bench.saleID.text
    ) -> String {
        self.text([
            "paymentRequestId": .string(requestID), "paymentId": .string(paymentID),
            "paymentCreateTime": "2026-06-15T12:00:00Z", "paymentExpireTime": "2026-06-15T12:30:00Z",
            "applePayParams": ["orderId": .string(paymentID), "currencyCode": "CAD"],
            "result": self.result(status, code),
        ])
    }

    /// To `pay`.
    static func pay(
        _ paymentStatus: String?, status: String = "S", code: String = "SUCCESS", paymentID: String? = Bench.orderID,
        transactionID: String? = "T-4711"
    ) -> String {
        var answer = JSONObject()
        answer["paymentRequestId"] = .string(Bench.saleID.text)
        answer["paymentId"] = paymentID.map { .string($0) }
        answer["paymentStatus"] = paymentStatus.map { .string($0) }
        answer["transactionId"] = transactionID.map { .string($0) }
        answer["result"] = self.result(status, code)
        return self.text(.object(answer))
    }

    /// To an endpoint that has nothing to say but why not.
    static func failed(_ code: String, status: String = "F") -> String {
        self.text(["result": self.result(status, code)])
    }

    /// To `inquiryPayment`, and a notice of a payment.
    static func payment(
        _ paymentStatus: String?, status: String = "S", code: String = "SUCCESS", resultCode: String? = nil,
        value: String? = "1099", currency: String = "CAD", paymentID: String? = Bench.orderID,
        requestID: String? = Bench.saleID.text
    ) -> String {
        var answer = JSONObject()
        answer["scenarioCode"] = "APPLE_PAY"
        answer["paymentRequestId"] = requestID.map { .string($0) }
        answer["paymentId"] = paymentID.map { .string($0) }
        if let value {
            answer["order"] = ["orderAmount": ["value": .string(value), "currency": .string(currency)]]
        }
        answer["paymentStatus"] = paymentStatus.map { .string($0) }
        answer["paymentResultCode"] = resultCode.map { .string($0) }
        answer["transactionId"] = "T-4711"
        answer["result"] = self.result(status, code)
        return self.text(.object(answer))
    }

    /// To `refund`, `inquiryRefund`, and a notice of a refund.
    static func refund(
        _ refundStatus: String? = nil, status: String = "S", code: String = "SUCCESS", resultCode: String? = nil,
        value: String? = "400", currency: String = "CAD", paymentID: String? = Bench.orderID,
        requestID: String? = Bench.operationID.text, refundID: String? = Bench.refundID
    ) -> String {
        var answer = JSONObject()
        answer["refundId"] = refundID.map { .string($0) }
        answer["paymentId"] = paymentID.map { .string($0) }
        answer["refundRequestId"] = requestID.map { .string($0) }
        if let value {
            answer["refund"] = ["refundAmount": ["value": .string(value), "currency": .string(currency)]]
        }
        answer["refundStatus"] = refundStatus.map { .string($0) }
        answer["refundResultCode"] = resultCode.map { .string($0) }
        answer["result"] = self.result(status, code)
        return self.text(.object(answer))
    }

    /// To `cancel`.
    static func canceled(paymentID: String = Bench.orderID) -> String {
        self.text([
            "paymentRequestId": .string(Bench.saleID.text), "paymentId": .string(paymentID),
            "cancelTime": "2026-06-15T12:01:00Z", "result": self.result("S", "SUCCESS"),
        ])
    }

    private static func result(_ status: String, _ code: String) -> JSON {
        ["resultCode": .string(code), "resultStatus": .string(status), "resultMessage": "in words"]
    }

    private static func text(_ json: JSON) -> String { String(decoding: json.serialized(), as: UTF8.self) }
}
