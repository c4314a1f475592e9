//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import CommWeb
import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import Money
import Redaction
import StrictJSON
import TestGateway
import WalletSimulator

/// CommWeb as the suite of all dialects drives it: REST, with the password.
struct CommWebDriver: DialectDriver {
    let lacks: [DialectCapability: String] = [:]
    let timeoutsAreFailures = true
    let currency: Currency
    let foreignCurrency: Currency

    init() {
        guard let american = Currency.alphabetic("USD"), let australian = Currency.alphabetic("AUD") else {
            preconditionFailure("ISO 4217 has USD and AUD")
        }
        self.currency = american
        self.foreignCurrency = australian
    }

    func makeDialect(_ gateway: Gateway, limits: CallerLimits) -> any Dialect {
        CommWeb(gateway: gateway, limits: limits)
    }

    func addMerchant(to test: TestGateway, name: String) async throws -> TestMerchant {
        let key = name == "shop" ? CommWebShop.merchantID : "TESTCOMMWEB02"
        let draft = CommWeb.accountDraft(
            password: Redacted(CommWebShop.password), notificationSecret: Redacted(CommWebShop.notificationSecret),
            notifyURL: CommWebShop.notifyURL, clientCertificateSHA256: [CommWebShop.certificate])
        // The notification secret is shown in every notification, which is what it is for: it is none to be searched
        // for.
        let merchant = try await test.addMerchant(
            dialect: CommWeb.dialectName, key: key, settings: draft.settings,
            secrets: draft.secrets.filter { $0.key == "password" },
            merchantIdentifier: "merchant.com.example.\(name)", countryCode: "AU")
        try await test.gateway.administration.putAccount(
            merchant: merchant.id, dialect: CommWeb.dialectName, key: key, settings: draft.settings,
            secrets: draft.secrets)
        return merchant
    }

    // MARK: - Requests

    func request(_ call: DialectCall, in shop: DialectShop) async throws -> WireRequest {
        switch call.action {
        case .pay(let amount, let token): return self.put(call, self.payment("PAY", amount, token), in: shop)
        case .authorize(let amount, let token):
            return self.put(call, self.payment("AUTHORIZE", amount, token), in: shop)
        case .capture(let amount, let isFinal):
            if isFinal { await self.giveBackTheRest(call, after: amount, in: shop) }
            return self.put(call, self.followUp("CAPTURE", amount), in: shop)
        case .refund(let amount): return self.put(call, self.followUp("REFUND", amount), in: shop)
        case .void:
            var body = Body(["apiOperation": "VOID"])
            body["transaction.targetTransactionId"] = call.handle["authorization"].map(JSON.string)
            return self.put(call, body, in: shop)
        case .query: return self.get("order/\(call.payment)", in: shop)
        }
    }

    /// CommWeb has no last capture: what is left is given back by lowering the authorization.
    private func giveBackTheRest(_ call: DialectCall, after amount: Money, in shop: DialectShop) async {
        guard let authorized = call.handle["authorized"].flatMap({ Int64($0) }),
            let captured = call.handle["captured"].flatMap({ Int64($0) }), captured + amount.minorUnits < authorized
        else { return }
        let total = Money(minorUnits: captured + amount.minorUnits, currency: self.currency)
        await shop.send(
            self.put(
                order: call.payment, transaction: call.key + "-rest",
                self.followUp("UPDATE_AUTHORIZATION", total), in: shop))
    }

    func payment(_ operation: String, _ amount: Money, _ token: MintedToken) -> Body {
        Body([
            "apiOperation": .string(operation), "order.amount": .string(amount.decimalText),
            "order.currency": .string(amount.currency.code), "order.walletProvider": "APPLE_PAY",
            "sourceOfFunds.type": "CARD", "transaction.source": "INTERNET",
            Body.token: .string(token.paymentData.text()),
        ])
    }

    func followUp(_ operation: String, _ amount: Money) -> Body {
        Body([
            "apiOperation": .string(operation), "transaction.amount": .string(amount.decimalText),
            "transaction.currency": .string(amount.currency.code),
        ])
    }

    private func put(_ call: DialectCall, _ body: Body, in shop: DialectShop) -> WireRequest {
        self.put(order: call.payment, transaction: call.key, body, in: shop)
    }

    func put(order: String, transaction: String, _ body: Body, in shop: DialectShop) -> WireRequest {
        self.send(.put, "order/\(order)/transaction/\(transaction)", body, in: shop)
    }

    func get(_ path: String, in shop: DialectShop) -> WireRequest { self.send(.get, path, nil, in: shop) }

    func send(_ method: HTTPRequest.Method, _ path: String, _ body: Body?, in shop: DialectShop) -> WireRequest {
        var request = WireRequest(
            method: method, path: "/api/rest/version/71/merchant/\(shop.merchant.key)/\(path)",
            body: body?.json.serialized() ?? [])
        request.headers[.authorization] = CommWebShop.basic("merchant." + shop.merchant.key, CommWebShop.password)
        if body != nil { request.headers[.contentType] = "application/json" }
        return request
    }

    // MARK: - Wrong requests

    func withWrongCredentials(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest] {
        let user = "merchant." + shop.merchant.key
        let headers: [(String, String?)] = [
            ("no credentials", nil), ("a wrong password", CommWebShop.basic(user, "wrong")),
            ("another merchant", CommWebShop.basic("merchant.NOBODY", CommWebShop.password)),
            ("another scheme", "Bearer " + CommWebShop.password),
            ("a session that is none", CommWebShop.base64("\(user):SESSION000000000000000000000000")),
        ]
        var wrong = headers.map { name, header in
            var changed = request
            changed.headers[.authorization] = header
            return NamedRequest(name, changed)
        }
        var unknown = request
        unknown.path = request.path.replacing(shop.merchant.key, with: "NOBODY")
        wrong.append(NamedRequest("an unknown merchant", unknown))
        var certificate = request
        certificate.headers[.authorization] = nil
        certificate.clientCertificate = ClientCertificate(sha256: String(repeating: "00", count: 32))
        wrong.append(NamedRequest("a stranger's certificate", certificate))
        return wrong
    }

    func conflicting(
        with request: WireRequest, of call: DialectCall, in shop: DialectShop
    ) async throws -> [NamedRequest] {
        let more = { (amount: Money) in Money(minorUnits: amount.minorUnits + 1, currency: amount.currency) }
        switch call.action {
        case .pay(let amount, let token):
            return [
                NamedRequest("another amount", self.put(call, self.payment("PAY", more(amount), token), in: shop)),
                NamedRequest("another operation", self.put(call, self.payment("AUTHORIZE", amount, token), in: shop)),
            ]
        case .refund(let amount):
            return [
                NamedRequest("another amount", self.put(call, self.followUp("REFUND", more(amount)), in: shop)),
                NamedRequest("another operation", self.put(call, self.followUp("CAPTURE", amount), in: shop)),
            ]
        case .authorize, .capture, .void, .query: return []
        }
    }

    var unknownPaths: [String] {
        [
            "/api/rest", "/api/rest/version/71/merchant/X/token",
            "/api/rest/version/71/merchant/X/order/o/transaction/",
            "/api/nvp/version", "/api/nvp/version/71/nothing",
        ]
    }

    let unknownMethods: [HTTPRequest.Method] = [.post, .delete, .patch, .head]

    // MARK: - Transcripts

    var placeholders: [TranscriptPlaceholder] {
        [
            TranscriptPlaceholder("credentials", "^(?i:authorization): (.+)$"),
            TranscriptPlaceholder("notification-secret", "^X-Notification-Secret: (.+)$"),
            TranscriptPlaceholder("session", "SESSION[0-9A-Z]{24}"),
            TranscriptPlaceholder("session-version", "\"version\":\"([0-9a-f]{10})\""),
            TranscriptPlaceholder("aes256-key", "\"aes256Key\":\"([^\"]+)\""),
        ]
    }

    func discloses(_ request: WireRequest) -> Bool {
        String(decoding: request.body, as: UTF8.self).contains("UNMASK") && request.clientCertificate != nil
    }
}
