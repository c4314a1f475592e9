//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
public import DialectKit
import HTTPTypes
import Money
public import Redaction
public import StrictJSON

/// A shop that speaks CommWeb: REST and JSON, Basic authentication (docs/dialects/commweb.md).
public struct CommWebClient: PaymentClient {
    public struct Credentials: Sendable {
        public var merchantID: String
        public var password: Redacted<String>
        /// What notifications over https carry.
        public var notificationSecret: Redacted<String>?

        public init(merchantID: String, password: Redacted<String>, notificationSecret: Redacted<String>? = nil) {
            self.merchantID = merchantID
            self.password = password
            self.notificationSecret = notificationSecret
        }
    }

    public let name = "commweb"
    public let capturesAtOnce = false
    private let credentials: Credentials

    static let version = 71

    public init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    public var secrets: [Redacted<String>] {
        [self.credentials.password, self.basic] + [self.credentials.notificationSecret].compactMap { $0 }
    }

    private var basic: Redacted<String> {
        self.credentials.password.map { password in
            Base64.encode(Array("merchant.\(self.credentials.merchantID):\(password)".utf8))
        }
    }

    /// Puts a transaction into an order. Answers the transaction.
    public func put(
        _ operation: String, _ members: [(String, JSON)], order: String, transaction: String, on wire: ShopWire
    ) async throws(ShopWireError) -> JSON {
        var body = JSONObject()
        body["apiOperation"] = .string(operation)
        for (name, value) in members { body[name] = value }
        let path =
            "/api/rest/version/\(Self.version)/merchant/\(PercentCoding.encoded(self.credentials.merchantID))/order/"
            + "\(PercentCoding.encoded(order))/transaction/\(PercentCoding.encoded(transaction))"
        let reply = try await wire.call(
            ShopRequest(
                .put, path,
                headers: [
                    ("Content-Type", "application/json"), ("Authorization", "Basic " + self.basic.reveal()),
                ], body: JSON.object(body).serialized()))
        guard let json = try? JSON.parse(reply.body), json.object != nil else {
            throw ShopWireError("CommWeb answered with something that is no JSON (HTTP \(reply.status)).")
        }
        return json
    }
}

// MARK: - A shop's payment

extension CommWebClient {
    private static let authorization = "authorization"
    private static let count = "transactions"

    public func authorize(
        _ purchase: inout Purchase, with instrument: PurchaseInstrument, on wire: ShopWire
    ) async throws(ShopWireError) -> PaymentStep {
        guard case .token(let token) = instrument else { return .needsToken }
        let transaction = Self.nextTransaction(&purchase)
        let answer = try await self.put(
            "AUTHORIZE",
            [
                (
                    "order",
                    [
                        "amount": .string(purchase.amount.decimalText),
                        "currency": .string(purchase.amount.currency.code), "description": .string(purchase.summary),
                        "walletProvider": "APPLE_PAY",
                    ]
                ),
                (
                    "sourceOfFunds",
                    [
                        "type": "CARD",
                        "provided": [
                            "card": [
                                // The token's JSON, as a text.
                                "devicePayment": ["paymentToken": .string((token["paymentData"] ?? .null).text())]
                            ]
                        ],
                    ]
                ),
                ("transaction", ["source": "INTERNET"]),
            ], order: purchase.reference, transaction: transaction, on: wire)
        let step = Self.step(answer, transaction)
        if step.status != .declined { purchase.memory[Self.authorization] = transaction }
        return step
    }

    public func capture(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        try await self.follow("CAPTURE", &purchase, wire)
    }

    public func refund(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        try await self.follow("REFUND", &purchase, wire)
    }

    public func void(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        let transaction = Self.nextTransaction(&purchase)
        let target = purchase.memory[Self.authorization] ?? "1"
        return Self.step(
            try await self.put(
                "VOID", [("transaction", ["targetTransactionId": .string(target)])], order: purchase.reference,
                transaction: transaction, on: wire), transaction)
    }

    private func follow(
        _ operation: String, _ purchase: inout Purchase, _ wire: ShopWire
    ) async throws(ShopWireError) -> PaymentStep {
        let transaction = Self.nextTransaction(&purchase)
        return Self.step(
            try await self.put(
                operation,
                [
                    (
                        "transaction",
                        [
                            "amount": .string(purchase.amount.decimalText),
                            "currency": .string(purchase.amount.currency.code),
                        ]
                    )
                ], order: purchase.reference, transaction: transaction, on: wire), transaction)
    }

    private static func nextTransaction(_ purchase: inout Purchase) -> String {
        let number = (purchase.memory[self.count].flatMap { Int($0) } ?? 0) + 1
        purchase.memory[self.count] = String(number)
        return String(number)
    }

    public func merchantSession(
        domain: String, validationURL: String, on wire: ShopWire
    ) async throws(ShopWireError) -> JSON? { nil }

    public func facts(of purchase: Purchase) -> [OrderFact] {
        [
            OrderFact("order.id", purchase.reference),
            OrderFact("transaction.id", purchase.memory[Self.count]),
            OrderFact("order.amount", purchase.amount.decimalText),
            OrderFact("order.currency", purchase.amount.currency.code),
        ].compactMap { $0 }
    }

    public func read(_ notification: WireRequest) -> NotificationReading {
        let body = try? JSON.parse(notification.body)
        let secret = notification.headers[.known("X-Notification-Secret")]
        // Over http the gateway sends no secret: whoever listens would know it.
        let isGenuine = secret.map { $0 == self.credentials.notificationSecret?.reveal() }
        let words = [body?["transaction"]?["type"], body?["result"], body?["order"]?["status"]]
        return NotificationReading(
            title: words.compactMap { $0?.string }.joined(separator: " "), reference: body?["order"]?["id"]?.string,
            isGenuine: isGenuine, acknowledgement: WireResponse(status: .ok), codes: CommWebCodes.notes(body))
    }

    /// "SUCCESS APPROVED AUTHORIZED".
    public static func summary(_ answer: JSON) -> String {
        [answer["result"], answer["response"]?["gatewayCode"], answer["order"]?["status"]]
            .map { $0?.string ?? "none" }.joined(separator: " ")
    }

    private static func step(_ answer: JSON, _ transaction: String) -> PaymentStep {
        let codes = CommWebCodes.notes(answer)
        if answer["result"]?.string == "ERROR" {
            let words = [answer["error"]?["cause"], answer["error"]?["explanation"]]
            return PaymentStep(.error, words.compactMap { $0?.string }.joined(separator: ": "), codes: codes)
        }
        let status: PaymentStep.Status =
            switch answer["result"]?.string {
            case "SUCCESS": .approved
            case "FAILURE": .declined
            case "PENDING", "UNKNOWN": .unknown
            default: .error
            }
        return PaymentStep(status, self.summary(answer), reference: transaction, codes: codes)
    }
}
