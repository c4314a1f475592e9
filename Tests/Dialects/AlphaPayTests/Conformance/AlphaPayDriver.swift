//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import CryptoExtras
import DialectConformance
import DialectKit
import Foundation
import Gateway
import HTTPTypes
import Money
import StrictJSON
import TestGateway
import Time
import WalletSimulator

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

    // MARK: - Requests

    func request(_ call: DialectCall, in shop: DialectShop) async throws -> WireRequest {
        switch call.action {
        case .pay(let amount, let token):
            // The order comes first; the same one again when the payment is tried again.
            let order = try self.signed(
                "apple-pay/preOrder",
                TestShop.orderBody(
                    String(amount.minorUnits), id: call.payment, notifyURL: "https://shop.example/notify"), in: shop)
            let paymentID = try JSON.parse(await shop.send(order).body)["paymentId"] ?? ""
            return try self.signed(
                "apple-pay/pay", ["paymentId": paymentID, "token": token.paymentToken], in: shop)
        case .refund(let amount):
            return try self.signed("refund", self.refundBody(call, amount.minorUnits), in: shop)
        case .query:
            return try self.signed("inquiryPayment", ["paymentId": self.paymentID(call)], in: shop)
        case .authorize, .capture, .void: throw ShapeBroken("AlphaPay has no request for that")
        }
    }

    private func paymentID(_ call: DialectCall) -> JSON { .string(call.handle["paymentId"] ?? "") }

    private func refundBody(_ call: DialectCall, _ minorUnits: Int64) -> JSON {
        TestShop.refundBody(
            call.handle["paymentId"] ?? "", String(minorUnits), id: call.key,
            notifyURL: "https://shop.example/refund")
    }

    private func signed(_ endpoint: String, _ body: JSON, in shop: DialectShop) throws -> WireRequest {
        var call = SignedCall(
            path: "/api/v2.0/payments/" + endpoint, body: body.serialized(), time: shop.clock.now.description)
        call.merchantCode = shop.merchant.key
        return try call.request()
    }

    func renewed(_ request: WireRequest, in shop: DialectShop) throws -> WireRequest {
        try self.call(request, in: shop).request()
    }

    private func call(_ request: WireRequest, in shop: DialectShop) -> SignedCall {
        var call = SignedCall(path: request.path, body: request.body, time: shop.clock.now.description)
        call.method = request.method
        call.merchantCode = shop.merchant.key
        return call
    }

    // MARK: - Wrong requests

    func withWrongCredentials(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest] {
        func changed(_ name: String, _ change: (inout SignedCall) throws -> Void) throws -> NamedRequest {
            var call = self.call(request, in: shop)
            try change(&call)
            return NamedRequest(name, try call.request())
        }
        return try [
            changed("an unknown merchant") { $0.merchantCode = "NOBODY" },
            changed("no merchant") { $0.merchantCode = "" },
            changed("another key's signature") { $0.key = try Keys.gateway },
            changed("no signature") { $0.signatureHeader = "" },
            changed("an old signature") { $0.time = shop.clock.now.adding(seconds: -301).description },
            changed("a signature over another body") { $0.tamper = { $0.body += Array(" ".utf8) } },
        ]
    }

    func conflicting(
        with request: WireRequest, of call: DialectCall, in shop: DialectShop
    ) async throws -> [NamedRequest] {
        switch call.action {
        case .pay(let amount, _):
            let order = TestShop.orderBody(String(amount.minorUnits + 1), id: call.payment)
            return [
                NamedRequest(
                    "the same paymentRequestId for another amount",
                    try self.signed("apple-pay/preOrder", order, in: shop))
            ]
        case .refund(let amount):
            return [
                NamedRequest(
                    "the same refundRequestId for another amount",
                    try self.signed("refund", self.refundBody(call, amount.minorUnits + 1), in: shop))
            ]
        case .authorize, .capture, .void, .query: return []
        }
    }

    var unknownPaths: [String] {
        ["nothing", "apple-pay/PAY", "apple-pay/pay/", "pay"].map { "/api/v2.0/payments/" + $0 }
    }

    let unknownMethods: [HTTPRequest.Method] = [.get, .put, .delete, .patch]
}
