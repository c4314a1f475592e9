//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
public import DialectKit
import HTTPTypes
public import Money
public import Redaction
public import StrictJSON
public import Time

/// A shop that speaks AlphaPay: signs what it sends and checks what comes back (docs/dialects/alphapay.md).
public struct AlphaPayClient: PaymentClient {
    public struct Credentials: Sendable {
        public var merchantCode: String
        public var keyVersion: String
        public var privateKeyPEM: Redacted<String>
        public var gatewayPublicKeyPEM: String

        public init(
            merchantCode: String, keyVersion: String, privateKeyPEM: Redacted<String>, gatewayPublicKeyPEM: String
        ) {
            self.merchantCode = merchantCode
            self.keyVersion = keyVersion
            self.privateKeyPEM = privateKeyPEM
            self.gatewayPublicKeyPEM = gatewayPublicKeyPEM
        }
    }

    /// What came back from a call.
    public struct Reply: Sendable {
        public let body: JSON
        public let isSignatureValid: Bool

        public var resultCode: String { self.body["result"]?["resultCode"]?.string ?? "none" }
        /// "S" done, "F" failed, "U" not known yet.
        public var resultStatus: String { self.body["result"]?["resultStatus"]?.string ?? "none" }
        public var resultMessage: String { self.body["result"]?["resultMessage"]?.string ?? "" }

        /// "S SUCCESS".
        public var result: String { "\(self.resultStatus) \(self.resultCode)" }

        public func text(_ name: String) -> String { self.body[name]?.string ?? "" }
    }

    public let name = "alphapay"
    public let capturesAtOnce = true
    private let signature: AlphaPaySignature
    private let clock: @Sendable () -> Timestamp
    private let random: @Sendable (Int) -> [UInt8]

    /// - Parameter random: that many bytes of a cryptographically secure source.
    /// - Throws: when a key cannot be read.
    public init(
        _ credentials: Credentials, clock: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) throws {
        self.signature = try AlphaPaySignature(credentials)
        self.clock = clock
        self.random = random
    }

    /// Its key never leaves it: what is signed with it is all that is sent.
    public var secrets: [Redacted<String>] { [] }

    /// Posts a signed body to an endpoint: "apple-pay/preOrder".
    public func call(_ endpoint: String, _ body: JSON, on wire: ShopWire) async throws(ShopWireError) -> Reply {
        let path = "/api/v2.0/payments/" + endpoint
        let bytes = body.serialized()
        let signed: [(String, String)]
        do {
            signed = try self.signature.headers(
                path: path, body: bytes, time: self.clock(), nonce: Hex.encode(self.random(16)))
        } catch {
            throw ShopWireError("The shop could not sign its request: its private key is damaged.")
        }
        let reply = try await wire.call(
            ShopRequest(
                .post, path, headers: [("Content-Type", "application/json; charset=UTF-8")] + signed, body: bytes))
        guard let json = try? JSON.parse(reply.body) else {
            throw ShopWireError("AlphaPay answered with something that is no JSON (HTTP \(reply.status)).")
        }
        return Reply(
            body: json,
            isSignatureValid: self.isGateways(path: path, timeHeader: "Response-Time", reply.headers, reply.body))
    }

    private func isGateways(path: String, timeHeader: String, _ headers: HTTPFields, _ body: [UInt8]) -> Bool {
        func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
        return self.signature.isGateways(
            header("Signature"), path: path, time: header(timeHeader), nonce: header("Nonce"), body: body)
    }
}

// MARK: - Its calls

extension AlphaPayClient {
    /// Asks for an order. Answers `paymentId`.
    public func preOrder(
        _ reference: String, _ amount: Money, description: String, notifyURL: String?, on wire: ShopWire
    ) async throws(ShopWireError) -> Reply {
        var order = JSONObject()
        order["orderAmount"] = Self.amount(amount)
        order["description"] = .string(description)
        order["notifyUrl"] = notifyURL.map { .string($0) }
        return try await self.call(
            "apple-pay/preOrder", ["paymentRequestId": .string(reference), "order": .object(order)], on: wire)
    }

    /// Pays an order.
    public func pay(_ paymentID: String, token: JSON, on wire: ShopWire) async throws(ShopWireError) -> Reply {
        try await self.call("apple-pay/pay", ["paymentId": .string(paymentID), "token": token], on: wire)
    }

    public func inquire(_ paymentID: String, on wire: ShopWire) async throws(ShopWireError) -> Reply {
        try await self.call("inquiryPayment", ["paymentId": .string(paymentID)], on: wire)
    }

    public func refund(
        _ paymentID: String, _ amount: Money, requestID: String, description: String, notifyURL: String?,
        on wire: ShopWire
    ) async throws(ShopWireError) -> Reply {
        var refund = JSONObject()
        refund["refundAmount"] = Self.amount(amount)
        refund["description"] = .string(description)
        refund["notifyUrl"] = notifyURL.map { .string($0) }
        return try await self.call(
            "refund",
            [
                "paymentId": .string(paymentID), "refundRequestId": .string(requestID), "refund": .object(refund),
            ], on: wire)
    }

    /// Whether the gateway signed a notification.
    public func isGenuine(_ notification: WireRequest) -> Bool {
        self.isGateways(
            path: notification.path, timeHeader: "Request-Time", notification.headers, notification.body)
    }

    private static func amount(_ money: Money) -> JSON {
        ["value": .string(String(money.minorUnits)), "currency": .string(money.currency.code)]
    }
}

// MARK: - A shop's payment

extension AlphaPayClient {
    /// What the client remembers: AlphaPay's id of the order.
    private static let paymentID = "paymentId"

    public func authorize(
        _ purchase: inout Purchase, with instrument: PurchaseInstrument, on wire: ShopWire
    ) async throws(ShopWireError) -> PaymentStep {
        guard case .token(let token) = instrument else { return .needsToken }
        if purchase.memory[Self.paymentID] == nil {
            let order = try await self.preOrder(
                purchase.reference, purchase.amount, description: purchase.summary, notifyURL: purchase.notifyURL,
                on: wire)
            guard order.resultCode == "PAYMENT_IN_PROCESS", !order.text(Self.paymentID).isEmpty else {
                return self.step(order)
            }
            purchase.memory[Self.paymentID] = order.text(Self.paymentID)
        }
        return self.step(try await self.pay(purchase.memory[Self.paymentID] ?? "", token: token, on: wire))
    }

    public func capture(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        PaymentStep(.error, "AlphaPay has no capture: it takes the money with the payment.")
    }

    public func void(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        PaymentStep(.error, "AlphaPay cancels unpaid orders only. Refund the payment.")
    }

    public func refund(_ purchase: inout Purchase, on wire: ShopWire) async throws(ShopWireError) -> PaymentStep {
        self.step(
            try await self.refund(
                purchase.memory[Self.paymentID] ?? "", purchase.amount,
                requestID: "\(purchase.reference)-refund", description: purchase.summary,
                notifyURL: purchase.notifyURL, on: wire))
    }

    public func merchantSession(
        domain: String, validationURL: String, on wire: ShopWire
    ) async throws(ShopWireError) -> JSON? { nil }

    public func facts(of purchase: Purchase) -> [OrderFact] {
        [
            OrderFact("paymentRequestId", purchase.reference),
            OrderFact("paymentId", purchase.memory[Self.paymentID]),
            OrderFact("orderAmount.value", String(purchase.amount.minorUnits)),
            OrderFact("orderAmount.currency", purchase.amount.currency.code),
        ].compactMap { $0 }
    }

    public func read(_ notification: WireRequest) -> NotificationReading {
        let body = try? JSON.parse(notification.body)
        let isRefund = body?["refundId"] != nil
        let status = body?[isRefund ? "refundStatus" : "paymentStatus"]?.string
        // A refund names the shop's id of the refund, which begins with that of the order.
        let reference =
            body?["paymentRequestId"]?.string
            ?? body?["refundRequestId"]?.string.map { $0.replacing("-refund", with: "") }
        return NotificationReading(
            title: "\(isRefund ? "refund" : "payment") \(status ?? body?["result"]?["resultCode"]?.string ?? "")",
            reference: reference, isGenuine: self.isGenuine(notification), acknowledgement: Self.acknowledgement,
            codes: AlphaPayCodes.notes(body))
    }

    /// Only this counts; a bare 200 does not.
    private static let acknowledgement = WireResponse(
        status: .ok, headers: [.contentType: "application/json; charset=UTF-8"],
        body: ([
            "result": ["resultCode": "SUCCESS", "resultStatus": "S", "resultMessage": "success"]
        ] as JSON).serialized())

    private func step(_ reply: Reply) -> PaymentStep {
        guard reply.isSignatureValid else {
            return PaymentStep(.error, "AlphaPay's answer is not signed by the gateway: \(reply.result).")
        }
        let status: PaymentStep.Status =
            switch reply.resultStatus {
            case "S": .approved
            case "U": .unknown
            // A refusal says how the order stands, too, which an earlier card may have been declined for.
            case _ where ["ORDER_", "APPLE_PAY_"].contains(where: { reply.resultCode.hasPrefix($0) }): .error
            default: reply.text("paymentStatus") == "FAILED" ? .declined : .error
            }
        let reference = [reply.text("refundId"), reply.text(Self.paymentID)].first { !$0.isEmpty }
        return PaymentStep(
            status, "\(reply.resultCode): \(reply.resultMessage)", reference: reference,
            codes: AlphaPayCodes.notes(reply.body))
    }
}

extension PaymentStep {
    static let needsToken = PaymentStep(
        .error, "This payment service takes the Apple Pay token itself. A prime is TapPay's.")
}
