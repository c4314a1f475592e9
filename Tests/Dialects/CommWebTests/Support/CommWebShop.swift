//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CommWeb
import DialectKit
import Foundation
import Gateway
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON
import TestGateway
import WalletSimulator

/// A gateway with one sandbox merchant, and what its shop needs to call it.
struct CommWebShop: Sendable {
    static let merchantID = "TESTCOMMWEB01"
    static let password = "0123456789abcdef0123456789abcdef"
    static let secondPassword = "fedcba9876543210fedcba9876543210"
    static let notificationSecret = "5ECRE7-0F-N071F1CA710N5"
    static let notifyURL = "https://shop.example/webhook"
    static let certificate = String(repeating: "ab", count: 32)

    let test: TestGateway
    let commWeb: CommWeb
    let merchant: TestMerchant
    var version = 71
    /// The Authorization header; `nil` for none.
    var authorization: String? = Self.basic("merchant." + Self.merchantID, Self.password)
    var clientCertificate: ClientCertificate?

    static func open(
        mode: Mode = .sandbox, certified: Bool = true, allowedOperations: [String]? = nil,
        settings extra: [String: String] = [:], acceptor: CardAcceptor? = nil
    ) async throws -> CommWebShop {
        let test = try await TestGateway.open(mode: mode)
        let draft = CommWeb.accountDraft(
            password: Redacted(Self.password), secondPassword: Redacted(Self.secondPassword),
            notificationSecret: Redacted(Self.notificationSecret), notifyURL: Self.notifyURL,
            clientCertificateSHA256: [Self.certificate], allowedOperations: allowedOperations)
        let merchant = try await test.addMerchant(
            dialect: CommWeb.dialectName, key: Self.merchantID, settings: draft.settings.merging(extra) { $1 },
            secrets: draft.secrets, certified: certified, countryCode: "AU")
        if let acceptor { try await test.setAcceptor(of: merchant, acceptor) }
        return CommWebShop(test: test, commWeb: CommWeb(gateway: test.gateway), merchant: merchant)
    }

    static func basic(_ user: String, _ password: String) -> String { "Basic " + self.base64("\(user):\(password)") }

    static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// The same shop, authenticated by its certificate.
    var withCertificate: CommWebShop {
        var shop = self
        shop.authorization = nil
        shop.clientCertificate = ClientCertificate(sha256: Self.certificate)
        return shop
    }
}

// MARK: - REST

extension CommWebShop {
    func merchantPath(_ rest: String) -> String {
        "/api/rest/version/\(self.version)/merchant/\(Self.merchantID)/\(rest)"
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, query: String? = nil, _ body: [UInt8] = [],
        contentType: String? = "application/json"
    ) async throws -> Reply {
        var request = WireRequest(
            method: method, path: path, query: query, body: body, clientCertificate: self.clientCertificate)
        if !body.isEmpty { request.headers[.contentType] = contentType }
        request.headers[.authorization] = self.authorization
        return try Reply(await self.commWeb.respond(to: request))
    }

    /// Submits a transaction.
    @discardableResult
    func put(_ order: String, _ transaction: String, _ body: JSON) async throws -> Reply {
        try await self.send(.put, self.merchantPath("order/\(order)/transaction/\(transaction)"), body.serialized())
    }

    func get(_ rest: String, query: String? = nil) async throws -> Reply {
        try await self.send(.get, self.merchantPath(rest), query: query)
    }

    /// A payment with a new token of the amount.
    @discardableResult
    func pay(
        _ operation: String, _ order: String, _ transaction: String = "1", amount: String = "61.00",
        currency: String = "USD", card: SimulatedCard = .mastercard, change: (inout Body) -> Void = { _ in }
    ) async throws -> Reply {
        var body = try self.body(operation, amount: amount, currency: currency, card: card)
        change(&body)
        return try await self.put(order, transaction, body.json)
    }

    func body(
        _ operation: String, amount: String = "61.00", currency: String = "USD", card: SimulatedCard = .mastercard,
        options: MintOptions = MintOptions()
    ) throws -> Body {
        var body = Body([
            "apiOperation": .string(operation), "order.amount": .string(amount), "order.currency": .string(currency),
            "order.walletProvider": "APPLE_PAY", "sourceOfFunds.type": "CARD", "transaction.source": "INTERNET",
        ])
        body[Body.token] = .string(
            try self.token(amount, currency, card: card, options: options).paymentData.text(pretty: true))
        return body
    }

    func token(
        _ amount: String, _ currency: String = "USD", card: SimulatedCard = .mastercard,
        options: MintOptions = MintOptions()
    ) throws -> MintedToken {
        guard let currency = Currency.alphabetic(currency) else { throw Reply.Failure(description: "no currency") }
        return try self.test.mint(
            try Money(decimalText: amount, currency: currency), for: self.merchant, card: card, options: options)
    }

    /// CAPTURE, REFUND or UPDATE_AUTHORIZATION.
    @discardableResult
    func follow(
        _ operation: String, _ order: String, _ transaction: String, amount: String, currency: String = "USD",
        target: String? = nil
    ) async throws -> Reply {
        var body = Body([
            "apiOperation": .string(operation), "transaction.amount": .string(amount),
            "transaction.currency": .string(currency),
        ])
        body["transaction.targetTransactionId"] = target.map(JSON.string)
        return try await self.put(order, transaction, body.json)
    }

    @discardableResult
    func void(_ order: String, _ transaction: String, target: String? = nil) async throws -> Reply {
        var body = Body(["apiOperation": "VOID"])
        body["transaction.targetTransactionId"] = target.map(JSON.string)
        return try await self.put(order, transaction, body.json)
    }
}

// MARK: - NVP

extension CommWebShop {
    /// A form, with the credentials in it.
    func nvp(_ fields: [String: String], credentials: Bool = true) async throws -> Reply {
        var all = fields
        if credentials {
            all["apiUsername"] = "merchant." + Self.merchantID
            all["apiPassword"] = Self.password
        }
        all["merchant"] = all["merchant"] ?? Self.merchantID
        return try await self.nvp(bytes: Self.form(all))
    }

    func nvp(
        bytes: [UInt8], contentType: String = "application/x-www-form-urlencoded"
    ) async throws -> Reply {
        var request = WireRequest(
            method: .post, path: "/api/nvp/version/\(self.version)", body: bytes,
            clientCertificate: self.clientCertificate)
        request.headers[.contentType] = contentType
        return try Reply(await self.commWeb.respond(to: request))
    }

    static func form(_ fields: [String: String]) -> [UInt8] {
        FormWriter.urlEncoded(fields.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
    }
}

/// A request's body, by dotted paths.
struct Body {
    static let card = "sourceOfFunds.provided.card."
    static let token = Self.card + "devicePayment.paymentToken"
    static let cryptogram = Self.card + "devicePayment.onlinePaymentCryptogram"

    private(set) var leaves: [String: JSON]

    init(_ leaves: [String: JSON] = [:]) {
        self.leaves = leaves
    }

    /// Of an object, as a client makes one.
    init(_ json: JSON) {
        self.leaves = [:]
        for (name, value) in json.object?.members ?? [] {
            guard value.object != nil else {
                self.leaves[name] = value
                continue
            }
            for (path, leaf) in Body(value).leaves { self.leaves["\(name).\(path)"] = leaf }
        }
    }

    subscript(path: String) -> JSON? {
        get { self.leaves[path] }
        set { self.leaves[path] = newValue }
    }

    var json: JSON {
        self.leaves.sorted { $0.key < $1.key }.reduce(.object(JSONObject())) { json, leaf in
            Self.setting(json, leaf.key.split(separator: ".")[...], leaf.value)
        }
    }

    /// The fields of a form.
    var form: [String: String] { self.leaves.compactMapValues { $0.string ?? $0.numberText } }

    private static func setting(_ json: JSON, _ path: ArraySlice<Substring>, _ value: JSON) -> JSON {
        guard let first = path.first else { return value }
        var object = json.object ?? JSONObject()
        object[String(first)] = self.setting(
            object[String(first)] ?? .object(JSONObject()), path.dropFirst(), value)
        return .object(object)
    }
}
