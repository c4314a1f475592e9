//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import Clients
import CryptoExtras
import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import Money
import Redaction
import TestGateway
import Time

/// AlphaPay as the suite of all dialects drives it.
struct AlphaPayDriver: DialectDriver {
    let lacks: [DialectCapability: String] = [
        .authorization: "apple-pay/pay captures at once; there is no other way to pay",
        .partialCapture: "there is no capture",
        .void: "cancel takes back orders that are not paid; a paid one is refunded",
        .queryTotals: "inquiryPayment says PARTIAL_REFUND or FULL_REFUND, and no sums",
    ]
    let currency: Currency
    let foreignCurrency: Currency

    init() {
        guard let canadian = Currency.alphabetic("CAD"), let american = Currency.alphabetic("USD") else {
            preconditionFailure("ISO 4217 has CAD and USD")
        }
        self.currency = canadian
        self.foreignCurrency = american
    }

    func makeDialect(_ gateway: Gateway, limits: CallerLimits) -> any Dialect {
        AlphaPay(gateway: gateway, limits: limits)
    }

    var provesEachRequest: Bool { true }

    func addMerchant(to test: TestGateway, name: String) async throws -> TestMerchant {
        try await TestShop.addMerchant(
            to: test, name == "shop" ? TestShop.merchantCode : "ZZZZZZ",
            merchantIdentifier: name == "shop" ? TestShop.merchantIdentifier : "merchant.com.example.\(name)")
    }

    // MARK: - Calls

    func client(in shop: DialectShop) throws -> AlphaPayClient { try self.client(in: shop) { _ in } }

    private func client(
        in shop: DialectShop, secondsAgo: Int64 = 0, change: (inout AlphaPayClient.Credentials) throws -> Void
    ) throws -> AlphaPayClient {
        var credentials = AlphaPayClient.Credentials(
            merchantCode: shop.merchant.key, keyVersion: "1",
            privateKeyPEM: Redacted(try Keys.merchant.pemRepresentation),
            gatewayPublicKeyPEM: try Keys.gateway.publicKey.pemRepresentation)
        try change(&credentials)
        return try AlphaPayClient(
            credentials, clock: { [clock = shop.clock] in clock.now.adding(seconds: -secondsAgo) },
            random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } })
    }

    func complete(_ charge: inout ChargeFields) { charge.description = "Two pounds of apples" }

    func take(_ preparation: Reading, into charge: inout ChargeFields, in shop: DialectShop) {
        charge.handle[AlphaPayClient.paymentID] = preparation.handle[AlphaPayClient.paymentID] ?? ""
    }

    func read(
        _ response: WireResponse, to request: WireRequest, of call: DialectCall?, in shop: DialectShop
    ) throws -> DialectAnswer {
        // Whom nobody knows is answered without a signature.
        let client = try self.client(in: shop) { if call == nil { $0.gatewayPublicKeyPEM = nil } }
        let reading = client.read(ClientReply(response), to: ClientRequest(request))
        guard response.headers[.contentType] == "application/json; charset=UTF-8",
            reading["result.resultMessage"] != nil
        else { throw ShapeBroken("the answer says no JSON, or has no result") }
        // Every answer to a call is signed, and with 200: the vendor's client reads no other.
        guard call == nil || (reading.isGenuine == true && reading.status == 200) else {
            throw ShapeBroken("the answer is not signed, or its status is \(reading.status)")
        }
        var answer = try DialectAnswer(reading, of: call)
        if Self.notProcessed.contains(answer.code) { answer.verdict = .declined }
        return answer
    }

    /// What an acquirer that was asked did nothing with.
    private static let notProcessed: Set = ["CHANNEL_UNAVAILABLE", "CHANNEL_MISCONFIGURED"]

    // MARK: - Wrong requests

    func withWrongCredentials(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest] {
        func signed(
            _ name: String, secondsAgo: Int64 = 0,
            _ change: (inout AlphaPayClient.Credentials) throws -> Void = { _ in }
        ) throws -> NamedRequest {
            let client = try self.client(in: shop, secondsAgo: secondsAgo, change: change)
            return NamedRequest(name, WireRequest(try client.renewed(ClientRequest(request))))
        }
        func changed(_ name: String, _ change: (inout WireRequest) -> Void) throws -> NamedRequest {
            var renewed = try self.renewed(request, in: shop)
            change(&renewed)
            return NamedRequest(name, renewed)
        }
        return try [
            signed("an unknown merchant") { $0.merchantCode = "NOBODY" },
            changed("no merchant") { $0.headers[.known("Merchant-Code")] = nil },
            signed("another key's signature") { $0.privateKeyPEM = Redacted(try Keys.gateway.pemRepresentation) },
            changed("no signature") { $0.headers[.known("Signature")] = nil },
            signed("an old signature", secondsAgo: 301),
            changed("a signature over another body") { $0.body += Array(" ".utf8) },
        ]
    }

    /// A payment is of its order's amount: the order is what conflicts.
    func conflicting(
        with request: WireRequest, of call: DialectCall, in shop: DialectShop
    ) async throws -> [NamedRequest] {
        guard case .pay(let amount, _) = call.withLessAmount?.action else {
            return try await self.withLessAmount(call, in: shop)
        }
        let order = try self.client(in: shop).preOrder(call.payment, amount, description: "Two pounds of apples")
        return [NamedRequest("an order of another amount", WireRequest(order))]
    }

    var unknownPaths: [String] {
        ["nothing", "apple-pay/PAY", "apple-pay/pay/", "pay"].map { "/api/v2.0/payments/" + $0 }
    }

    let unknownMethods: [HTTPRequest.Method] = [.get, .put, .delete, .patch]

    // MARK: - Notifications and transcripts

    var acknowledgement: (status: Int, body: String) { (200, AlphaPayClient.acknowledgement.text) }

    var unacknowledged: [String] { ["", "success", #"{"result":{"resultStatus":"F"}}"#] }

    var placeholders: [TranscriptPlaceholder] {
        [
            TranscriptPlaceholder("signature", "signature=([^,]+)$"),
            TranscriptPlaceholder("nonce", "^(?i:nonce): (.+)$"),
        ]
    }
}
