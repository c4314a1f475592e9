//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
import Money
import Payments
import Redaction
import StrictJSON
import Time

extension TapPay {
    /// A payment's outcome, where the request had a result_url: TapPay, "Backend Notify", knows no other.
    public func notificationsCount(for delivery: Delivery) -> Int {
        switch delivery.event.kind {
        case .authorizationSucceeded, .authorizationFailed: 1
        case .captureSucceeded, .captureFailed, .voidSucceeded, .voidFailed, .refundSucceeded, .refundFailed,
            .adjustmentSucceeded, .adjustmentFailed, .verificationSucceeded, .verificationFailed,
            .chargeback, .chargebackReversed:
            0
        }
    }

    public func notification(for delivery: Delivery, merchant: MerchantContext) throws -> OutgoingNotification {
        guard self.notificationsCount(for: delivery) > 0 else {
            throw NotificationError(
                "an event of the kind \(delivery.event.kind.rawValue) is reported to nobody")
        }
        let body = JSON.object(self.notifyBody(delivery.payment, delivery.operation)).serialized()
        return OutgoingNotification(
            headers: [
                .init("Content-Type", "application/json"),
                .init(
                    NotificationSignature.header,
                    try NotificationSignature(over: body, by: merchant, at: self.gateway.now()).text),
            ], body: body)
    }

    private func notifyBody(_ payment: Payment, _ authorization: Operation) -> JSONObject {
        let standing = OperationStanding(authorization)
        var body = JSONObject()
        body["rec_trade_id"] = .string(payment.recTradeID)
        body["auth_code"] = .string(authorization.answer.authorizationCode ?? "")
        body["bank_transaction_id"] = .string(payment.label(LabelField.bankTransactionID) ?? "")
        body["bank_order_number"] = .string(authorization.answer.reference ?? "")
        body["order_number"] = .string(payment.label(LabelField.orderNumber) ?? "")
        body["amount"] = payment.amount.wireJSON
        body["status"] = JSON(standing.code.rawValue)
        body["msg"] = .string(standing.code.message)
        body["transaction_time_millis"] = authorization.begunAt.millisJSON
        body["transaction_complete_millis"] = authorization.occurredAt.millisJSON
        body["acquirer"] = .string(payment.acquirer.text)
        body["bank_result_code"] = .string(payment.bankResultCode(of: authorization))
        body["bank_result_msg"] = .string(standing.bankMessage)
        body["pay_info"] = [
            "method": .string(payment.paymentMethod),
            "masked_credit_card_number": .string(payment.partialCardNumber),
        ]
        return body
    }

    /// HTTP 200, whatever the body (TapPay, "Backend Notify").
    public func isAcknowledged(status: Int, body: [UInt8]) -> Bool { status == 200 }

    /// Five resends, as the vendor makes; when, it does not say.
    public var retrySchedule: RetrySchedule {
        RetrySchedule(delaysSeconds: [60, 300, 1800, 7200, 21_600])
    }
}

extension Payment {
    /// "424242******4242".
    var partialCardNumber: String {
        let number = self.instrument.maskedPAN
        return number.prefix
            + String(repeating: "*", count: max(0, number.length - number.prefix.count - number.suffix.count))
            + number.suffix
    }
}
