//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON
import TestGateway
import WalletSimulator

@testable import TapPay

/// TapPay as the suite of all dialects drives it: an app that makes a prime of the token, and a server that pays with
/// it. In US cents, so that every amount of the suite is one of the wire's.
struct TapPayDriver: DialectDriver {
    let lacks: [DialectCapability: String] = [
        .sale: "a trade is authorized, and captured later that day, or by cap",
        .partialCapture: "cap captures all of a trade",
        .captureAmount: "cap takes no amount",
        .voidOfItsOwn: "refund without an amount takes the authorization back, and after the capture refunds it",
        .retryAfterDecline: "an order_number may be repeated and holds nothing together",
    ]
    let currency: Currency
    let foreignCurrency: Currency
    let taiwanDollar: Currency

    init() {
        guard let american = Currency.alphabetic("USD"), let hongKongs = Currency.alphabetic("HKD"),
            let taiwanese = Currency.alphabetic("TWD")
        else { preconditionFailure("ISO 4217 has USD, HKD and TWD") }
        self.currency = american
        self.foreignCurrency = hongKongs
        self.taiwanDollar = taiwanese
    }

    func makeDialect(_ gateway: Gateway, limits: CallerLimits) -> any Dialect {
        TapPay(gateway: gateway, limits: limits)
    }

    func addMerchant(to test: TestGateway, name: String) async throws -> TestMerchant {
        try await BackEndShop.addMerchant(
            to: test, appID: name == "shop" ? 12345 : 54321,
            merchantID: Self.merchantID(appID: name == "shop" ? 12345 : 54321),
            merchantIdentifier: "merchant.com.example.\(name)")
    }

    static func merchantID(appID: Int) -> String { appID == 12345 ? BackEndShop.merchantID : "Other_CTBC" }

    // MARK: - Requests

    func request(_ call: DialectCall, in shop: DialectShop) async throws -> WireRequest {
        let recTradeID = JSON.string(call.handle["rec_trade_id"] ?? "D20260615none")
        switch call.action {
        case .authorize(let amount, let token):
            let prime = try await self.prime(token, in: shop)
            return self.request("payment/pay-by-prime", self.payment(call, amount, prime, in: shop), in: shop)
        case .capture:
            return self.request("transaction/cap", ["rec_trade_id": recTradeID], key: call.key, in: shop)
        case .void:
            return self.request(
                "transaction/refund", ["rec_trade_id": recTradeID, "bank_refund_id": .string(call.key)], in: shop)
        case .refund(let amount):
            return self.request(
                "transaction/refund",
                [
                    "rec_trade_id": recTradeID, "amount": JSON(amount.minorUnits), "bank_refund_id": .string(call.key),
                ], in: shop)
        case .query:
            return self.request("transaction/query", ["filters": ["rec_trade_id": recTradeID]], in: shop)
        case .pay: throw ShapeBroken("TapPay has no request for that")
        }
    }

    /// What the app gets for a token. One that is refused leaves the server with a prime that nobody has made.
    func prime(_ token: MintedToken, isAmountPending: Bool = false, in shop: DialectShop) async throws -> String {
        let appID = Int(shop.merchant.key) ?? 0
        let body: JSON = [
            "app_id": JSON(appID), "app_key": .string(BackEndShop.appKey(appID)), "app_name": "shop.example",
            "platform_type": "2", "pay_token_data": token.paymentData,
            "apple_merchant_id": .string(shop.merchant.merchantIdentifier), "fraud_id": "",
            "is_amount_pending": .bool(isAmountPending),
        ]
        let response = await shop.send(
            WireRequest(
                method: .post, path: "/tpc/applepay/getprime", headers: [.contentType: "application/json"],
                body: body.serialized()))
        let mode = shop.merchant.merchant.mode == .sandbox ? "test_" : "prod_"
        return try JSON.parse(response.body)["prime"]?.string ?? mode + String(repeating: "f", count: 56)
    }

    func payment(_ call: DialectCall, _ amount: Money, _ prime: String, in shop: DialectShop) -> JSON {
        [
            "prime": .string(prime), "merchant_id": .string(Self.merchantID(appID: Int(shop.merchant.key) ?? 0)),
            "amount": JSON(amount.minorUnits), "currency": .string(amount.currency.code), "details": "Six apples",
            "cardholder": ["phone_number": "+886912345678", "name": "Lin Mei", "email": "mei@example.com"],
            "order_number": .string(call.payment), "bank_transaction_id": .string(call.key),
            "result_url": [
                "frontend_redirect_url": .string(BackEndShop.redirectURL),
                "backend_notify_url": .string(BackEndShop.notifyURL),
            ],
        ]
    }

    func request(_ path: String, _ body: JSON, key: String? = nil, in shop: DialectShop) -> WireRequest {
        let partnerKey = BackEndShop.partnerKey(Int(shop.merchant.key) ?? 0)
        var object = body.object ?? JSONObject()
        object["partner_key"] = .string(partnerKey)
        var request = WireRequest(
            method: .post, path: "/tpc/" + path, headers: [.contentType: "application/json", .apiKey: partnerKey],
            body: JSON.object(object).serialized())
        request.headers[.idempotencyKey] = key
        return request
    }

    /// A request with other fields in its body.
    func changed(_ request: WireRequest, _ change: (inout JSONObject) -> Void) throws -> WireRequest {
        guard var object = try JSON.parse(request.body).object else { throw ShapeBroken("the request is no object") }
        change(&object)
        var request = request
        request.body = JSON.object(object).serialized()
        return request
    }

    // MARK: - Wrong requests

    func withWrongCredentials(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest] {
        func with(_ name: String, header: String?, body: String?) throws -> NamedRequest {
            var request = try self.changed(request) { $0["partner_key"] = body.map(JSON.string) }
            request.headers[.apiKey] = header
            return NamedRequest(name, request)
        }
        let good = BackEndShop.partnerKey(Int(shop.merchant.key) ?? 0)
        let unknown = "partner_nobody"
        return try [
            with("no partner key", header: nil, body: nil), with("empty keys", header: "", body: ""),
            with("an unknown partner key", header: unknown, body: unknown),
            with("an unknown partner key in the body", header: good, body: unknown),
            with("an unknown partner key in the header", header: unknown, body: good),
            with("the app key", header: BackEndShop.appKey(12345), body: BackEndShop.appKey(12345)),
        ]
    }

    func conflicting(
        with request: WireRequest, of call: DialectCall, in shop: DialectShop
    ) async throws -> [NamedRequest] {
        guard let units = try JSON.parse(request.body)["amount"]?.integer else { return [] }
        return [NamedRequest("another amount", try self.changed(request) { $0["amount"] = JSON(units + 1) })]
    }

    /// A prime says which mode it is of.
    func crossed(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest] {
        guard let prime = try JSON.parse(request.body)["prime"]?.string else { return [] }
        let other = prime.hasPrefix("test_") ? "prod_" : "test_"
        return [
            NamedRequest(
                "a prime of the other mode",
                try self.changed(request) { $0["prime"] = .string(other + prime.dropFirst(5)) })
        ]
    }

    let unknownPaths = ["/tpc/nothing", "/tpc/payment/pay-by-prime/", "/tpc/transaction/REFUND", "/tpc"]
    let unknownMethods: [HTTPRequest.Method] = [.get, .put, .delete, .patch]
}
