//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Clients
import CommWeb
import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import Money
import Redaction
import TestGateway

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

    // MARK: - Calls

    func client(in shop: DialectShop) -> CommWebClient {
        CommWebClient(
            CommWebClient.Credentials(
                merchantID: shop.merchant.key, password: Redacted(CommWebShop.password),
                notificationSecret: Redacted(CommWebShop.notificationSecret)))
    }

    func request(_ call: DialectCall, in shop: DialectShop) async throws -> WireRequest {
        if case .capture(let amount, isFinal: true) = call.action {
            try await self.giveBackTheRest(call, after: amount, in: shop)
        }
        return try await self.clientRequest(call, in: shop)
    }

    /// CommWeb has no last capture: what is left is given back by lowering the authorization.
    private func giveBackTheRest(_ call: DialectCall, after amount: Money, in shop: DialectShop) async throws {
        guard let captured = call.handle["captured"].flatMap({ Int64($0) }) else { return }
        let total = shop.money(captured + amount.minorUnits)
        guard total.minorUnits < call.authorized(self.currency).minorUnits else { return }
        var rest = call.followUp(total)
        rest.key += "-rest"
        try await shop.send(self.client(in: shop).updateAuthorization(rest))
    }

    func read(
        _ response: WireResponse, to request: WireRequest, of call: DialectCall?, in shop: DialectShop
    ) throws -> DialectAnswer {
        let reply = try Reply(response)
        guard (reply.json == nil) == request.path.hasPrefix("/api/nvp") else {
            throw ShapeBroken("REST was answered with a form, or NVP with JSON")
        }
        if reply["result"] == "ERROR" { return try self.error(reply, response, request, in: shop) }
        let reading = try shop.read(response, to: request)
        switch call?.action {
        case nil: throw ShapeBroken("what is no call was answered with \(reply["result"] ?? "nothing")")
        case .query:
            guard reply.status == 200, reading.captured != nil, reading.refunded != nil else {
                throw ShapeBroken("the order is not in its shape")
            }
        case .pay, .authorize, .capture, .void, .refund:
            guard reply.status == 201, reply["transaction.id"] == call?.key, reply["order.id"] == call?.payment,
                reply["response.gatewayCode"] != nil, reply["version"] == "71", reply["merchant"] != nil
            else { throw ShapeBroken("the answer is about another transaction, or lacks fields that every one has") }
        }
        var answer = try DialectAnswer(reading, of: call)
        // The last capture has lowered it.
        if let authorized = reading["order.totalAuthorizedAmount"] {
            let authorized = try Money(decimalText: authorized, currency: self.currency)
            answer.handle["authorized"] = String(authorized.minorUnits)
        }
        return answer
    }

    private func error(
        _ reply: Reply, _ response: WireResponse, _ request: WireRequest, in shop: DialectShop
    ) throws -> DialectAnswer {
        guard reply["error.cause"] != nil, reply["error.explanation"]?.hasSuffix(".") == true,
            let code = reply["error.supportCode"], (400...599).contains(reply.status),
            (reply["error.field"] == nil) == (reply["error.validationType"] == nil)
        else { throw ShapeBroken("the error is not in its shape") }
        if reply.status == 401, reply.headers[.wwwAuthenticate] != "Basic realm=\"gateway\"" {
            throw ShapeBroken("a 401 does not ask for credentials")
        }
        // The client speaks REST alone.
        guard reply.json != nil else { return DialectAnswer(.refused, code: code) }
        var answer = try DialectAnswer(shop.read(response, to: request), of: nil)
        answer.code = code
        return answer
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
        var other = call
        switch call.action {
        case .pay(let amount, let token): other.action = .authorize(amount, token)
        case .refund(let amount): other.action = .capture(amount, isFinal: false)
        case .authorize, .capture, .void, .query: return []
        }
        return try await self.withLessAmount(call, in: shop)
            + [NamedRequest("another operation", try await self.clientRequest(other, in: shop))]
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
