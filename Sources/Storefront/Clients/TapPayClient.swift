//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
public import DialectKit
import Foundation
import HTTPTypes
public import Money
public import Redaction
public import StrictJSON

/// A shop that speaks TapPay: JSON, with a partner key in a header and in the body (docs/dialects/tappay.md).
public struct TapPayClient: PaymentClient {
    public struct Credentials: Sendable {
        public var appID: Int
        public var appKey: Redacted<String>
        public var partnerKey: Redacted<String>
        /// What pay-by-prime calls the merchant: "GlobalTesting_CTBC".
        public var merchantID: String
        /// Apple's: "merchant.dev.pomona.tappay".
        public var merchantIdentifier: String

        public init(
            appID: Int, appKey: Redacted<String>, partnerKey: Redacted<String>, merchantID: String,
            merchantIdentifier: String
        ) {
            self.appID = appID
            self.appKey = appKey
            self.partnerKey = partnerKey
            self.merchantID = merchantID
            self.merchantIdentifier = merchantIdentifier
        }
    }

    public let name = "tappay"
    public let capturesAtOnce = false
    private let credentials: Credentials

    static let appName = "Pomona demo shop"

    public init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    /// The app key stands in the shop's page, for everybody to read.
    public var secrets: [Redacted<String>] { [self.credentials.partnerKey] }

    /// How many decimals TapPay counts a currency in: Taiwan's dollars are whole (TapPay, "Pay by Prime API").
    public static func decimals(of currency: Currency) -> Int { currency.code == "TWD" ? 0 : currency.exponent }

    static func units(_ money: Money) -> Int64 {
        var units = money.minorUnits
        for _ in 0..<max(0, money.currency.exponent - self.decimals(of: money.currency)) { units /= 10 }
        return units
    }
}

// MARK: - Its calls

extension TapPayClient {
    /// What the SDK of a page does with a token. Answers `prime` and `card_info`.
    public func getPrime(_ token: JSON, on wire: ShopWire) async throws(ShopWireError) -> JSON {
        try await self.send(
            "/tpc/applepay/getprime", key: self.credentials.appKey,
            Self.members([
                "app_id": JSON(self.credentials.appID), "app_key": .string(self.credentials.appKey.reveal()),
                "app_name": .string(Self.appName), "platform_type": "2",
                "pay_token_data": token["paymentData"] ?? .null,
                "apple_merchant_id": .string(self.credentials.merchantIdentifier), "is_amount_pending": false,
            ]), on: wire)
    }

    /// Pays with a prime, and captures nothing by itself.
    public func payByPrime(
        _ prime: Redacted<String>, _ purchase: Purchase, on wire: ShopWire
    ) async throws(ShopWireError) -> JSON {
        let contact = purchase.contact
        var body = Self.members([
            "prime": .string(prime.reveal()), "merchant_id": .string(self.credentials.merchantID),
            "amount": JSON(Self.units(purchase.amount)), "currency": .string(purchase.amount.currency.code),
            "details": .string(String(purchase.summary.prefix(100))), "order_number": .string(purchase.reference),
            "cardholder": [
                "phone_number": .string(contact.phone), "name": .string("\(contact.givenName) \(contact.familyName)"),
                "email": .string(contact.email),
            ],
            "delay_capture_in_days": -1,
        ])
        if let url = purchase.notifyURL {
            body["result_url"] = ["frontend_redirect_url": .string(url), "backend_notify_url": .string(url)]
        }
        return try await self.call("/tpc/payment/pay-by-prime", body, on: wire)
    }

    public func capture(_ recTradeID: String, on wire: ShopWire) async throws(ShopWireError) -> JSON {
        try await self.call("/tpc/transaction/cap", Self.members(["rec_trade_id": .string(recTradeID)]), on: wire)
    }

    /// All that is left, or the whole authorization before it is captured.
    public func refund(_ recTradeID: String, on wire: ShopWire) async throws(ShopWireError) -> JSON {
        try await self.call("/tpc/transaction/refund", Self.members(["rec_trade_id": .string(recTradeID)]), on: wire)
    }

    private static func members(_ json: JSON) -> JSONObject { json.object ?? JSONObject() }

    private func call(_ path: String, _ members: JSONObject, on wire: ShopWire) async throws(ShopWireError) -> JSON {
        var body = members
        body["partner_key"] = .string(self.credentials.partnerKey.reveal())
        return try await self.send(path, key: self.credentials.partnerKey, body, on: wire)
    }

    private func send(
        _ path: String, key: Redacted<String>, _ body: JSONObject, on wire: ShopWire
    ) async throws(ShopWireError) -> JSON {
        let reply = try await wire.call(
            ShopRequest(
                .post, path, headers: [("Content-Type", "application/json"), ("x-api-key", key.reveal())],
                body: JSON.object(body).serialized()))
        guard let json = try? JSON.parse(reply.body), json["status"]?.integer != nil else {
            throw ShopWireError("TapPay's answer has no status (HTTP \(reply.status)).")
        }
        return json
    }
}

// MARK: - A shop's payment

extension TapPayClient {
    private static let recTradeID = "rec_trade_id"

    public func authorize(
        _ purchase: inout Purchase, with instrument: PurchaseInstrument, on wire: ShopWire
    ) async throws(ShopWireError) -> PaymentStep {
        let prime: Redacted<String>
        switch instrument {
        case .prime(let given): prime = given
        case .token(let token):
            let answer = try await self.getPrime(token, on: wire)
            guard let text = answer["prime"]?.string else { return Self.step(answer) }
            prime = Redacted(text)
        }
        let answer = try await self.payByPrime(prime, purchase, on: wire)
        if let id = answer[Self.recTradeID]?.string, !id.isEmpty { purchase.memory[Self.recTradeID] = id }
        return Self.step(answer)
    }

    public func capture(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        Self.step(try await self.capture(purchase.memory[Self.recTradeID] ?? "", on: wire))
    }

    public func refund(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        Self.step(try await self.refund(purchase.memory[Self.recTradeID] ?? "", on: wire))
    }

    /// A refund before the capture takes the authorization back.
    public func void(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        Self.step(try await self.refund(purchase.memory[Self.recTradeID] ?? "", on: wire))
    }

    public func merchantSession(
        domain: String, validationURL: String, on wire: ShopWire
    ) async throws(ShopWireError) -> JSON? {
        let answer = try await self.send(
            "/tpc/applepay/getsession", key: self.credentials.appKey,
            Self.members([
                "app_id": JSON(self.credentials.appID), "app_key": .string(self.credentials.appKey.reveal()),
                "app_name": .string(Self.appName),
                "apple_merchant_id": .string(self.credentials.merchantIdentifier),
                "merchant_domain": .string(domain), "validation_url": .string(validationURL),
            ]), on: wire)
        guard answer["status"]?.integer == 0, let session = answer["merchant_session"], session.object != nil else {
            throw ShopWireError(Self.step(answer).message)
        }
        return session
    }

    public func facts(of purchase: Purchase) -> [OrderFact] {
        [
            OrderFact("order_number", purchase.reference),
            OrderFact("rec_trade_id", purchase.memory[Self.recTradeID]),
            OrderFact("amount", String(Self.units(purchase.amount))),
            OrderFact("currency", purchase.amount.currency.code),
        ].compactMap { $0 }
    }

    public func read(_ notification: WireRequest) -> NotificationReading {
        let body = try? JSON.parse(notification.body)
        let words = [body?["msg"]?.string, body?[Self.recTradeID]?.string]
        return NotificationReading(
            title: words.compactMap { $0 }.joined(separator: " "), reference: body?["order_number"]?.string,
            isGenuine: self.isGenuine(notification), acknowledgement: WireResponse(status: .ok),
            codes: TapPayCodes.notes(body))
    }

    private static func step(_ answer: JSON) -> PaymentStep {
        let code = answer["status"]?.integer ?? -1
        let status: PaymentStep.Status =
            switch code {
            case 0: .approved
            case let code where self.unknownCodes.contains(code): .unknown
            // The bank's own words; and an expired card, which the front end sees before the bank is asked.
            case 10_000..<10_050, 2013: .declined
            default: .error
            }
        return PaymentStep(
            status, "\(code): \(answer["msg"]?.string ?? "")",
            reference: answer["refund_id"]?.string ?? answer[self.recTradeID]?.string, codes: TapPayCodes.notes(answer))
    }

    /// The gateway or the bank gave up waiting, or the payment is pending: the outcome has to be asked for.
    private static let unknownCodes: Set<Int64> = [421, 422, 10_001]

    /// The gateway signs with the partner key: `t=<seconds>,v1=<HMAC-SHA256 in hexadecimal>` over the seconds, a dot
    /// and the body.
    private func isGenuine(_ notification: WireRequest) -> Bool {
        guard let header = notification.headers[.known("X-Pomona-Signature")] else { return false }
        let parts = header.split(separator: ",").map { $0.split(separator: "=", maxSplits: 1) }
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 }), parts[0][0] == "t", parts[1][0] == "v1",
            let code = Hex.decode(String(parts[1][1]))
        else { return false }
        let key = SymmetricKey(data: Data(self.credentials.partnerKey.reveal().utf8))
        return HMAC<SHA256>.isValidAuthenticationCode(
            Data(code), authenticating: Data("\(parts[0][1]).".utf8) + Data(notification.body), using: key)
    }
}
