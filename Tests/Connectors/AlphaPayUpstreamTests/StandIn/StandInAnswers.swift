//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// Answers in the fields, and with the values, of AlphaPay's pages ("Apple Pay", "Order Inquiry", "Refund", "Refund
/// Inquiry", "Cancel Order", "Notification"); ids have the shapes that the tests of alphapayit/openapi-sdk-java show.
enum StandInAnswers {
    private static let order = #"""
        {"paymentRequestId":"string","paymentId":"2506031505244756658153857","paymentCreateTime":"2019-08-24T14:15:22Z",
        "paymentExpireTime":"2019-08-24T14:45:22Z","applePayParams":{"orderId":"2506031505244756658153857",
        "merchantIdentifier":"merchant.com.example.applepay","countryCode":"CA","currencyCode":"CAD",
        "label":"Demo Merchant","amount":"0.01","supportedNetworks":["visa","masterCard","amex"],
        "merchantCapabilities":["supports3DS","supportsCredit","supportsDebit"]},
        "result":{"resultCode":"PAYMENT_IN_PROCESS","resultMessage":"string","resultStatus":"U"}}
        """#

    private static let payment = #"""
        {"paymentRequestId":"string","paymentId":"2506031505244756658153857","paymentStatus":"SUCCESS",
        "paymentTime":"2019-08-24T14:16:22Z","transactionId":"4200001234202506031234567890",
        "result":{"resultCode":"SUCCESS","resultMessage":"success","resultStatus":"S"}}
        """#

    private static let inquiry = #"""
        {"scenarioCode":"CREDIT_CARD","paymentRequestId":"string","order":{"orderAmount":{"value":"1","currency":"CAD"},
        "description":"string","notifyUrl":"string","redirectUrl":""},"paymentCreateTime":"2019-08-24T14:15:22Z",
        "paymentExpireTime":"2019-08-24T14:20:22Z","paymentTime":"2019-08-24T14:16:22Z",
        "paymentId":"2506031505244756658153857","paymentStatus":"PAYMENT_IN_PROCESS",
        "result":{"resultCode":"SUCCESS","resultMessage":"success","resultStatus":"S"}}
        """#

    private static let refund = #"""
        {"refundId":"7b46758a-464c-42e8-b8ff-cbe779c2299f","paymentId":"2506031505244756658153857",
        "refundRequestId":"string","refund":{"refundAmount":{"value":"1","currency":"CAD"},"description":"",
        "notifyUrl":""},"refundTime":"2019-05-28T12:12:12+08:00",
        "result":{"resultCode":"SUCCESS","resultMessage":"success","resultStatus":"S"}}
        """#

    private static let cancellation = #"""
        {"paymentRequestId":"string","paymentId":"2506031505244756658153857","cancelTime":"2019-08-24T14:15:22Z",
        "result":{"resultCode":"SUCCESS","resultMessage":"success","resultStatus":"S"}}
        """#

    static let transactions = #"""
        {"transactions":[],"pagination":{"page":1,"pageLimit":10,"totalPage":0,"total":0},
        "result":{"resultCode":"SUCCESS","resultMessage":"success","resultStatus":"S"}}
        """#

    static func parsed(_ text: String) -> JSON { (try? JSON.parse(text)) ?? .null }

    static func result(_ status: String, _ code: String) -> JSON {
        ["result": ["resultCode": .string(code), "resultMessage": "see resultCode", "resultStatus": .string(status)]]
    }

    static func order(_ order: StandInOrder) -> JSON { self.filled(self.order, order) }
    static func payment(_ order: StandInOrder) -> JSON { self.filled(self.payment, order) }
    static func cancellation(_ order: StandInOrder) -> JSON { self.filled(self.cancellation, order) }

    static func inquiry(_ order: StandInOrder) -> JSON {
        var object = self.filled(self.inquiry, order).object ?? JSONObject()
        object["order"] = ["orderAmount": self.amount(order.amount), "description": "string"]
        object["paymentStatus"] = .string(order.status)
        return .object(object)
    }

    /// - Parameter status: of an inquiry and of a notice.
    static func refund(_ order: StandInOrder, _ refund: StandInOrder.Refund, status: String? = nil) -> JSON {
        var object = self.filled(self.refund, order).object ?? JSONObject()
        object["paymentRequestId"] = nil
        object["refundId"] = .string(refund.id)
        object["refundRequestId"] = refund.requestID.map { .string($0) }
        object["refund"] = ["refundAmount": self.amount(refund.amount), "description": ""]
        object["refundStatus"] = status.map { .string($0) }
        return .object(object)
    }

    /// What is under way is answered with U.
    static func inProcess(_ json: JSON, _ code: String) -> JSON {
        var object = json.object ?? JSONObject()
        object["result"] = self.result("U", code)["result"]
        return .object(object)
    }

    /// What the card's bank refused: a code of its own, and the status of the payment.
    static func declined(_ order: StandInOrder) -> JSON {
        var object = self.filled(self.payment, order).object ?? JSONObject()
        object["paymentStatus"] = "FAILED"
        object["transactionId"] = nil
        object["result"] = self.result("F", "PAY_REFUSED_BY_BANK")["result"]
        return .object(object)
    }

    private static func amount(_ cents: Int64) -> JSON { ["value": .string(String(cents)), "currency": "CAD"] }

    private static func filled(_ text: String, _ order: StandInOrder) -> JSON {
        var object = self.parsed(text).object ?? JSONObject()
        object["paymentRequestId"] = .string(order.requestID)
        object["paymentId"] = .string(order.paymentID)
        return .object(object)
    }
}
