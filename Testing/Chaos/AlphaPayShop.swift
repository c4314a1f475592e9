//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CryptoExtras
import Foundation
import Payments
import StrictJSON
import WalletSimulator

/// Speaks AlphaPay's API, which pays and captures at once.
struct AlphaPayShop: ShopLanguage {
    /// Answers after which the same request is sent again.
    private static let temporaryCodes: Set = ["SYSTEM_BUSY", "UNKNOWN_EXCEPTION", "REQUEST_INCOMPLETE"]

    let merchant: ShopMerchant
    let notifyURL: String
    private let key: _RSA.Signing.PrivateKey

    init(merchant: ShopMerchant, notifyURL: String) throws {
        self.merchant = merchant
        self.notifyURL = notifyURL
        self.key = try _RSA.Signing.PrivateKey(
            pemRepresentation: String(contentsOfFile: merchant["privateKey"], encoding: .utf8))
    }

    var captures: CaptureStyle { .withAuthorization }

    private func request(
        _ key: String, _ endpoint: String, _ kind: Payments.Operation.Kind, _ minorUnits: Int64?, _ body: JSON
    ) -> ShopRequest {
        let path = "/api/v2.0/payments/" + endpoint
        let bytes = body.serialized()
        return ShopRequest(
            key: "alphapay/" + key, kind: kind, minorUnits: minorUnits, method: "POST", path: path,
            headers: { self.headers(path, bytes) }, body: bytes, read: Self.read)
    }

    private func headers(_ path: String, _ body: [UInt8]) -> [(String, String)] {
        let code = self.merchant["merchantCode"]
        let time = Date.now.formatted(.iso8601)
        let nonce = UUID().uuidString.filter { $0 != "-" }
        let signed = Data("POST \(path)\n\(code).\(time).\(nonce).".utf8) + Data(body)
        let signature = (try? self.key.signature(for: signed, padding: .insecurePKCS1v1_5))?.rawRepresentation
            .base64EncodedString().addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        return [
            ("Content-Type", "application/json; charset=UTF-8"), ("Merchant-Code", code), ("Request-Time", time),
            ("Nonce", nonce),
            (
                "Signature",
                "algorithm=RS256,keyVersion=\(self.merchant["keyVersion"]),signature=\(signature ?? "")"
            ),
        ]
    }

    @Sendable private static func read(_ status: UInt, _ body: String) -> ShopAnswer? {
        guard status == 200, let json = try? JSON.parse(body) else { return nil }
        let code = json["result"]?["resultCode"]?.string ?? ""
        switch json["result"]?["resultStatus"]?.string {
        case "S": return ShopAnswer(answer: .approved, handle: json["paymentId"]?.string ?? "")
        case "U" where json["applePayParams"] != nil:
            return ShopAnswer(answer: .approved, handle: json["paymentId"]?.string ?? "")
        case "F" where !self.temporaryCodes.contains(code): return ShopAnswer(answer: .notDone(code))
        default: return nil
        }
    }

    func prepare(_ name: String, minorUnits: Int64) throws -> ShopRequest? {
        self.request(
            "\(name)/order", "apple-pay/preOrder", .authorization, minorUnits,
            [
                "paymentRequestId": .string(name),
                "order": [
                    "orderAmount": ["value": .string(String(minorUnits)), "currency": "CAD"],
                    "description": "Apples", "notifyUrl": .string(self.notifyURL),
                ],
            ])
    }

    func authorize(_ name: String, minorUnits: Int64, preparation: String) throws -> ShopRequest {
        self.request(
            "\(name)/0", "apple-pay/pay", .authorization, minorUnits,
            ["paymentId": .string(preparation), "token": try self.merchant.mint(minorUnits, "124").paymentToken])
    }

    func capture(_ name: String, _ number: Int, minorUnits: Int64, handle: String) -> ShopRequest {
        self.refund(name, number, minorUnits: minorUnits, handle: handle)
    }

    func refund(_ name: String, _ number: Int, minorUnits: Int64, handle: String) -> ShopRequest {
        self.request(
            "\(name)/\(number)", "refund", .refund, minorUnits,
            [
                "paymentId": .string(handle), "refundRequestId": .string("\(name)-\(number)"),
                "refund": [
                    "refundAmount": ["value": .string(String(minorUnits)), "currency": "CAD"],
                    "description": "Bruised", "notifyUrl": .string(self.notifyURL),
                ],
            ])
    }

    func void(_ name: String, _ number: Int, authorized: Int64, handle: String) -> ShopRequest {
        self.refund(name, number, minorUnits: authorized, handle: handle)
    }
}
