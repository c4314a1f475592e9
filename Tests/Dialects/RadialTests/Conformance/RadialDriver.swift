//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import Money
import Redaction
import TestGateway

@testable import Radial

/// Radial's Payment Service as the suite of all dialects drives it.
struct RadialDriver: DialectDriver {
    let lacks: [DialectCapability: String] = [
        .sale: "an authorization is settled by a call of its own",
        .query: "there is no call that asks; the same request again, and ConfirmFunds, say how it stands",
        .queryTotals: "there is no call that asks",
    ]
    let currency: Currency
    let foreignCurrency: Currency

    init() {
        guard let american = Currency.alphabetic("USD"), let canadian = Currency.alphabetic("CAD") else {
            preconditionFailure("ISO 4217 has USD and CAD")
        }
        self.currency = american
        self.foreignCurrency = canadian
    }

    func makeDialect(_ gateway: Gateway, limits: CallerLimits) -> any Dialect {
        Radial(gateway: gateway, limits: limits)
    }

    func withoutTime(_ body: [UInt8]) -> [UInt8] {
        Array(String(decoding: body, as: UTF8.self).replacing(/<CreateTimestamp>[^<]*/, with: "").utf8)
    }

    func addMerchant(to test: TestGateway, name: String) async throws -> TestMerchant {
        try await self.addMerchant(to: test, name: name, certified: true)
    }

    func addMerchant(
        to test: TestGateway, name: String, certified: Bool, allowsDecryption: Bool = true,
        allowedTenders: [String]? = nil, acquirer: String? = "simulator"
    ) async throws -> TestMerchant {
        let draft = Radial.accountDraft(
            apiKey: Redacted(Self.apiKey(of: Self.store(name))), webhookURL: "https://\(name).example/radial",
            allowedTenders: allowedTenders,
            allowsDecryption: allowsDecryption)
        return try await test.addMerchant(
            dialect: Radial.dialectName, key: Self.store(name), settings: draft.settings, secrets: draft.secrets,
            certified: certified, merchantIdentifier: "merchant.com.example.\(name)", acquirer: acquirer,
            countryCode: "US")
    }

    static func store(_ name: String) -> String { name == "shop" ? RadialShop.storeID : name.uppercased() }

    static func apiKey(of store: String) -> String { "2ab1c7d4e5f60718293a4b5c6d7e8f90-\(store.lowercased())" }

    // MARK: - Requests

    func request(_ call: DialectCall, in shop: DialectShop) async throws -> WireRequest {
        let (token, tender) = (call.handle["token"] ?? "", call.handle["tender"] ?? "VC")
        switch call.action {
        case .authorize(let amount, let token):
            let body = Sample.walletAuthorization(token, order: call.payment, request: call.key).replacing(
                "</OrderId>",
                with: "</OrderId>\n<Amount currencyCode=\"\(amount.currency.code)\">\(amount.decimalText)</Amount>")
            return Self.request("creditcard/auth/DW.xml", body, in: shop)
        case .capture(let amount, let isFinal):
            return Self.request(
                "settlement/create/\(tender).xml",
                Sample.settlement(
                    token, amount.decimalText, currency: amount.currency.code, order: call.payment, request: call.key,
                    isFinal: isFinal ? "true" : "false"), in: shop)
        case .refund(let amount):
            return Self.request(
                "settlement/create/\(tender).xml",
                Sample.settlement(
                    token, amount.decimalText, "Credit", currency: amount.currency.code, order: call.payment,
                    request: call.key), in: shop)
        case .void:
            return Self.request(
                "auth/cancel/\(tender).xml",
                Sample.cancel(token, call.handle["amount"] ?? "", order: call.payment, request: call.key), in: shop)
        case .pay, .query: throw ShapeBroken("Radial has no request for that")
        }
    }

    static func request(_ path: String, _ body: String, in shop: DialectShop) -> WireRequest {
        var request = WireRequest(
            method: .post, path: "/v1.0/stores/\(shop.merchant.key)/payments/\(path)", body: Array(body.utf8))
        request.headers[.contentType] = "text/xml"
        request.headers[.apiKey] = Self.apiKey(of: shop.merchant.key)
        return request
    }

    // MARK: - Wrong requests

    func withWrongCredentials(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest] {
        let changed = { (name: String, change: (inout WireRequest) -> Void) in
            var wrong = request
            change(&wrong)
            return NamedRequest(name, wrong)
        }
        return [
            changed("no key") { $0.headers[.apiKey] = nil },
            changed("a wrong key") { $0.headers[.apiKey] = "2ab1c7d4e5f60718293a4b5c6d7e8f91" },
            changed("an unknown store") { $0.path = $0.path.replacing(shop.merchant.key, with: "NOBODY") },
        ]
    }

    func conflicting(
        with request: WireRequest, of call: DialectCall, in shop: DialectShop
    ) async throws -> [NamedRequest] {
        let amount: Money
        switch call.action {
        case .authorize(let asked, _), .capture(let asked, _), .refund(let asked), .pay(let asked, _): amount = asked
        case .void, .query: return []
        }
        let other = Money(minorUnits: amount.minorUnits - 1, currency: amount.currency)
        var conflicting = request
        conflicting.body = Array(
            String(decoding: request.body, as: UTF8.self)
                .replacing(">\(amount.decimalText)<", with: ">\(other.decimalText)<").utf8)
        return [NamedRequest("the same requestId for another amount", conflicting)]
    }

    var unknownPaths: [String] {
        ["/v1.0", "/v1.0/stores/TMSUS/payments", "/v1.1/stores/TMSUS/payments/storedvalue/balance"].map {
            $0 + "/nothing"
        }
            + ["/v1.0/stores/TMSUS/payments/creditcard/auth"]
    }

    let unknownMethods: [HTTPRequest.Method] = [.get, .put, .delete, .patch]

    func discloses(_ request: WireRequest) -> Bool { request.path.contains("/decryptblob") }
}
