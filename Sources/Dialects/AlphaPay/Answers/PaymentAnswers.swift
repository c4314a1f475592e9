//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import StrictJSON
import Time

extension AlphaPay {
    /// The answer of `preOrder`.
    func preOrderAnswer(_ order: Order, _ merchant: MerchantContext) -> JSON {
        var params = JSONObject()
        params["orderId"] = .string(order.id.text)
        params["merchantIdentifier"] = order.merchantIdentifier.map(JSON.string)
        params["countryCode"] = .string(merchant.merchant.countryCode)
        params["currencyCode"] = .string(order.amount.currency.code)
        params["label"] = .string(merchant.merchant.displayName)
        params["amount"] = .string(order.amount.decimalText)
        params["supportedNetworks"] = .array(AccountSettings(merchant).supportedNetworks.map(JSON.string))
        params["merchantCapabilities"] = ["supports3DS", "supportsCredit", "supportsDebit"]
        return [
            "paymentRequestId": .string(order.reference),
            "paymentId": .string(order.id.text),
            "paymentCreateTime": .string(order.createdAt.rfc3339Seconds),
            "paymentExpireTime": .string(order.expiresAt.rfc3339Seconds),
            "applePayParams": .object(params),
            "result": AlphaPayResult(.paymentInProcess, "The order is created and waits for the Apple Pay token.").json,
        ]
    }

    /// The answer of `pay`, from the authorization in the version in which it was resolved.
    func payAnswer(_ outcome: OperationOutcome) -> JSON {
        let authorization = outcome.operation
        var answer = JSONObject()
        answer["paymentRequestId"] = (outcome.order?.reference).map(JSON.string)
        answer["paymentId"] = (outcome.order?.id.text).map(JSON.string)
        answer["paymentStatus"] = .string(PaymentStatus(outcome.payment.state).rawValue)
        if authorization.state == .succeeded {
            answer["paymentTime"] = (authorization.resolvedAt?.rfc3339Seconds).map(JSON.string)
        }
        answer["transactionId"] = authorization.answer.reference.map(JSON.string)
        answer["result"] = Self.result(of: authorization, inProcess: .paymentInProcess).json
        return .object(answer)
    }

    /// A refusal of `pay`, with the order that it is about and how that stands.
    ///
    /// - Parameter othersUnderWay: whether other calls are about to pay the order, perhaps without a payment yet.
    func payRefusal(
        _ refusal: AlphaPayResult, of found: OrderOutcome, othersUnderWay: Bool
    ) -> AlphaPayResult {
        let standing = OrderStanding(found.order, payment: found.payment, at: self.gateway.now()).status
        let isUnderWay =
            switch standing {
            case .inProcess: found.payment != nil || othersUnderWay
            // An order's time may have passed after another call had looked at it.
            case .failed, .closed: othersUnderWay
            case .success, .partialRefund, .fullRefund: false
            }
        var result = isUnderWay ? Self.payInProcess(besides: refusal) : refusal
        let status = isUnderWay ? PaymentStatus.inProcess : Self.payStatus(standing, of: refusal)
        result.subject["paymentRequestId"] = .string(found.order.reference)
        result.subject["paymentId"] = .string(found.order.id.text)
        result.subject["paymentStatus"] = .string(status.rawValue)
        return result
    }

    /// The same while another call is paying the order.
    static func payInProcess(besides refusal: AlphaPayResult) -> AlphaPayResult {
        guard refusal.status == .failure else { return refusal }
        return AlphaPayResult(
            .paymentInProcess,
            "This call was refused (\(refusal.code.rawValue): \(refusal.message)), but another one is paying the order. "
                + "Ask for its outcome with inquiryPayment.")
    }

    /// "Payment status, allowed values: SUCCESS FAILED PARTIAL_REFUND FULL_REFUND" (AlphaPay, "Apple Pay", pay): a
    /// refusal F has none of the words that are beyond these.
    private static func payStatus(_ standing: PaymentStatus, of refusal: AlphaPayResult) -> PaymentStatus {
        switch (standing, refusal.status) {
        case (.success, _), (.failed, _), (.partialRefund, _), (.fullRefund, _): standing
        case (.closed, _), (.inProcess, .failure): .failed
        case (.inProcess, .unknown), (.inProcess, .success): .inProcess
        }
    }

    /// The answer of `inquiryPayment`, and a payment's notification.
    ///
    /// `result` describes the inquiry, `paymentStatus` the payment; while that is not final, the code says so too.
    func paymentAnswer(_ order: Order, _ payment: Payment?) -> JSON {
        let standing = OrderStanding(order, payment: payment, at: self.gateway.now())
        var wireOrder = JSONObject()
        wireOrder["orderAmount"] = WireAmount.json(order.amount)
        wireOrder["description"] = .string(order.summary)
        wireOrder["notifyUrl"] = order.notifyURL.map(JSON.string)
        var answer = JSONObject()
        answer["scenarioCode"] = "APPLE_PAY"
        answer["paymentRequestId"] = .string(order.reference)
        answer["paymentId"] = .string(order.id.text)
        answer["order"] = .object(wireOrder)
        answer["paymentCreateTime"] = .string(order.createdAt.rfc3339Seconds)
        answer["paymentExpireTime"] = .string(order.expiresAt.rfc3339Seconds)
        if let authorization = payment?.authorization {
            if authorization.state == .succeeded {
                answer["paymentTime"] = (authorization.resolvedAt?.rfc3339Seconds).map(JSON.string)
            }
            answer["transactionId"] = authorization.answer.reference.map(JSON.string)
        }
        answer["paymentStatus"] = .string(standing.status.rawValue)
        answer["paymentResultCode"] = (standing.failure?.code.rawValue).map(JSON.string)
        answer["paymentResultMessage"] = (standing.failure?.message).map(JSON.string)
        answer["result"] = AlphaPayResult.inquiry(standing.status == .inProcess ? .paymentInProcess : .success).json
        return .object(answer)
    }

    /// The answer of `cancel`.
    func cancelAnswer(_ order: Order) -> JSON {
        var answer = JSONObject()
        answer["paymentRequestId"] = .string(order.reference)
        answer["paymentId"] = .string(order.id.text)
        answer["cancelTime"] = (order.canceledAt?.rfc3339Seconds).map(JSON.string)
        answer["result"] = AlphaPayResult.success.json
        return .object(answer)
    }

    static func result(of operation: Operation, inProcess: ResultCode) -> AlphaPayResult {
        switch operation.state {
        case .pending, .unknown, .accepted: AlphaPayResult(inProcess)
        case .succeeded: .success
        case .failed(let failure):
            operation.kind == .refund ? AlphaPayResult(ofRefund: failure) : AlphaPayResult(failure)
        }
    }
}
