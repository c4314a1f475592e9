//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import StrictJSON

/// Speaks CommWeb's REST API.
struct CommWebShop: ShopLanguage {
    let merchant: ShopMerchant
    /// Pays by a card number instead of a token.
    let usesCard: Bool

    private func request(
        _ name: String, _ transaction: String, _ kind: Payments.Operation.Kind, _ minorUnits: Int64?, _ body: JSON
    ) -> ShopRequest {
        let id = self.merchant["merchantId"]
        let credentials = Data("merchant.\(id):\(self.merchant["password"])".utf8).base64EncodedString()
        return ShopRequest(
            key: "commweb/\(name)/\(transaction)", kind: kind, minorUnits: minorUnits, method: "PUT",
            path: "/api/rest/version/71/merchant/\(id)/order/\(name)/transaction/\(transaction)",
            headers: { [("Content-Type", "application/json"), ("Authorization", "Basic " + credentials)] },
            body: body.serialized(), read: Self.read)
    }

    @Sendable private static func read(_ status: UInt, _ body: String) -> ShopAnswer? {
        guard let json = try? JSON.parse(body) else { return nil }
        switch json["result"]?.string {
        case "SUCCESS": return ShopAnswer(answer: .approved)
        case "FAILURE": return ShopAnswer(answer: .notDone("declined"))
        case "ERROR" where json["error"]?["cause"]?.string?.hasPrefix("SERVER_") != true:
            return ShopAnswer(answer: .notDone(json["error"]?["explanation"]?.string ?? "refused"))
        default: return nil
        }
    }

    func authorize(_ name: String, minorUnits: Int64, preparation: String) throws -> ShopRequest {
        var order = JSONObject()
        order["amount"] = .string(decimalText(minorUnits))
        order["currency"] = "USD"
        let card: JSON
        if self.usesCard {
            card = ["number": "5123450000000008", "expiry": ["month": "01", "year": "39"]]
        } else {
            order["walletProvider"] = "APPLE_PAY"
            card = ["devicePayment": ["paymentToken": .string(try self.merchant.token(minorUnits, "840").text())]]
        }
        return self.request(
            name, "1", .authorization, minorUnits,
            [
                "apiOperation": "AUTHORIZE", "order": .object(order),
                "sourceOfFunds": ["type": "CARD", "provided": ["card": card]],
                "transaction": ["source": "INTERNET"],
            ])
    }

    private func amount(_ operation: String, _ minorUnits: Int64) -> JSON {
        [
            "apiOperation": .string(operation),
            "transaction": ["amount": .string(decimalText(minorUnits)), "currency": "USD"],
        ]
    }

    func capture(_ name: String, _ number: Int, minorUnits: Int64, handle: String) -> ShopRequest {
        self.request(name, String(number + 1), .capture, minorUnits, self.amount("CAPTURE", minorUnits))
    }

    func refund(_ name: String, _ number: Int, minorUnits: Int64, handle: String) -> ShopRequest {
        self.request(name, String(number + 1), .refund, minorUnits, self.amount("REFUND", minorUnits))
    }

    func refund(_ name: String, _ number: Int, ofCapture capture: Int, minorUnits: Int64, handle: String) -> ShopRequest
    {
        self.request(
            name, String(number + 1), .refund, minorUnits,
            [
                "apiOperation": "REFUND",
                "transaction": [
                    "amount": .string(decimalText(minorUnits)), "currency": "USD",
                    "targetTransactionId": .string(String(capture + 1)),
                ],
            ])
    }

    func void(_ name: String, _ number: Int, authorized: Int64, handle: String) -> ShopRequest {
        self.request(
            name, String(number + 1), .void, nil,
            ["apiOperation": "VOID", "transaction": ["targetTransactionId": "1"]])
    }
}
