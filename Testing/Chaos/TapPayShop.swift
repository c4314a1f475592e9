//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import StrictJSON

/// Speaks TapPay's API: the app makes a prime of the token, the server pays with it.
struct TapPayShop: ShopLanguage {
    /// Numbers after which the same request is sent again: the bank has not answered, something else of the trade is
    /// under way, or the gateway could not.
    private static let temporaryNumbers: Set<Int64> = [421, 915, 936, 10001, 10010]

    let merchant: ShopMerchant
    let notifyURL: String

    var captures: CaptureStyle { .atOnce }

    private func request(
        _ key: String, _ path: String, _ kind: Payments.Operation.Kind, _ minorUnits: Int64?, _ body: JSON
    ) -> ShopRequest {
        let partnerKey = self.merchant["partnerKey"]
        var body = body.object ?? JSONObject()
        body["partner_key"] = .string(partnerKey)
        return ShopRequest(
            key: "tappay/" + key, kind: kind, minorUnits: minorUnits, method: "POST", path: "/tpc/" + path,
            headers: {
                [("Content-Type", "application/json"), ("x-api-key", partnerKey), ("Idempotency-Key", key)]
            }, body: JSON.object(body).serialized(), read: Self.read)
    }

    @Sendable private static func read(_ status: UInt, _ body: String) -> ShopAnswer? {
        guard status == 200, let json = try? JSON.parse(body), let number = json["status"]?.integer else { return nil }
        if number == 0 {
            return ShopAnswer(
                answer: .approved, handle: json["prime"]?.string ?? json["rec_trade_id"]?.string ?? "")
        }
        if self.temporaryNumbers.contains(number) { return nil }
        return ShopAnswer(answer: .notDone("\(number) \(json["msg"]?.string ?? "")"))
    }

    func prepare(_ name: String, minorUnits: Int64) throws -> ShopRequest? {
        let body: JSON = [
            "app_id": JSON(Int(self.merchant["appId"]) ?? 0), "app_key": .string(self.merchant["appKey"]),
            "app_name": "shop.example", "platform_type": "2",
            "pay_token_data": try self.merchant.token(minorUnits, "840"),
            "apple_merchant_id": .string(self.merchant["merchantIdentifier"]), "fraud_id": "",
            "is_amount_pending": false,
        ]
        return ShopRequest(
            key: "tappay/\(name)/prime", kind: .authorization, minorUnits: minorUnits, method: "POST",
            path: "/tpc/applepay/getprime", headers: { [("Content-Type", "application/json")] },
            body: body.serialized(), read: Self.read)
    }

    func authorize(_ name: String, minorUnits: Int64, preparation: String) throws -> ShopRequest {
        self.request(
            "\(name)/0", "payment/pay-by-prime", .authorization, minorUnits,
            [
                "prime": .string(preparation), "merchant_id": .string(self.merchant["merchantId"]),
                "amount": JSON(minorUnits), "currency": "USD", "details": "Six apples",
                "cardholder": ["phone_number": "+886912345678", "name": "Lin Mei", "email": "mei@example.com"],
                "order_number": .string(name), "bank_transaction_id": .string(name),
                // Not by itself while the run lasts.
                "delay_capture_in_days": 3,
                "result_url": [
                    "frontend_redirect_url": "https://shop.example/result",
                    "backend_notify_url": .string(self.notifyURL),
                ],
            ])
    }

    private func followUp(
        _ key: String, _ path: String, _ kind: Payments.Operation.Kind, _ minorUnits: Int64?, _ handle: String,
        _ fields: JSON = [:]
    ) -> ShopRequest {
        var body = fields.object ?? JSONObject()
        body["rec_trade_id"] = .string(handle)
        return self.request(key, "transaction/" + path, kind, minorUnits, .object(body))
    }

    /// All of it: cap takes no amount.
    func capture(_ name: String, _ number: Int, minorUnits: Int64, handle: String) -> ShopRequest {
        self.followUp("\(name)/capture", "cap", .capture, minorUnits, handle)
    }

    func refund(_ name: String, _ number: Int, minorUnits: Int64, handle: String) -> ShopRequest {
        self.followUp(
            "\(name)/\(number)", "refund", .refund, minorUnits, handle,
            ["amount": JSON(minorUnits), "bank_refund_id": .string("\(name)-\(number)")])
    }

    func void(_ name: String, _ number: Int, authorized: Int64, handle: String) -> ShopRequest {
        self.followUp(
            "\(name)/\(number)", "refund", .void, nil, handle, ["bank_refund_id": .string("\(name)-\(number)")])
    }
}
