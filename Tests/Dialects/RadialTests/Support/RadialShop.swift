//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Money
import Payments
import Redaction
import StrictJSON
import TestGateway
import WalletSimulator

@testable import Radial

/// A store at a test gateway, calling in this dialect.
struct RadialShop: Sendable {
    static let storeID = "TMSUS"
    static let apiKey = "2ab1c7d4e5f60718293a4b5c6d7e8f90"
    static let webhookURL = "https://shop.example/radial"

    let test: TestGateway
    let radial: Radial
    let merchant: TestMerchant

    static func open(
        mode: Mode = .sandbox, usesLists: Bool = true, allowedTenders: [String]? = nil, allowsDecryption: Bool = true,
        webhookURL: String? = RadialShop.webhookURL, cancelWebhookURL: String? = nil,
        webhookCredentials: (user: String, password: Redacted<String>)? = nil, certified: Bool = true,
        configure: (inout GatewayParts) throws -> Void = { _ in }
    ) async throws -> RadialShop {
        let test = try await TestGateway.open(mode: mode, configure: configure)
        let draft = Radial.accountDraft(
            apiKey: Redacted(Self.apiKey), webhookURL: webhookURL, cancelWebhookURL: cancelWebhookURL,
            webhookCredentials: webhookCredentials, usesLists: usesLists, allowedTenders: allowedTenders,
            allowsDecryption: allowsDecryption)
        let merchant = try await test.addMerchant(
            dialect: Radial.dialectName, key: Self.storeID, settings: draft.settings, secrets: draft.secrets,
            certified: certified)
        return RadialShop(test: test, radial: Radial(gateway: test.gateway), merchant: merchant)
    }

    func token(
        _ minorUnits: Int64, _ currency: String = "USD", card: SimulatedCard = .visa,
        kind: PaymentRequest.Kind = .threeDSecure, options: MintOptions = MintOptions()
    ) throws -> MintedToken {
        try self.test.mint(
            try Self.money(minorUnits, currency), for: self.merchant, card: card, kind: kind, options: options)
    }

    static func money(_ minorUnits: Int64, _ currency: String = "USD") throws -> Money {
        guard let currency = Currency.alphabetic(currency) else { throw Reply.Failure(description: "currency") }
        return Money(minorUnits: minorUnits, currency: currency)
    }

    // MARK: - Calling

    /// Sends a body as a client does, but for what the closure changes.
    func send(
        _ path: String, _ body: String, change: (inout WireRequest) -> Void = { _ in }
    ) async throws -> Reply {
        try await self.send(path, bytes: Array(body.utf8), change: change)
    }

    func send(
        _ path: String, bytes: [UInt8], change: (inout WireRequest) -> Void = { _ in }
    ) async throws -> Reply {
        var request = WireRequest(method: .post, path: "/v1.0/stores/\(Self.storeID)/payments/\(path)", body: bytes)
        request.headers[.contentType] = "text/xml"
        request.headers[.apiKey] = Self.apiKey
        change(&request)
        return try Reply(await self.radial.respond(to: request))
    }

    /// Authorizes with Apple Pay.
    func authorize(
        _ minorUnits: Int64, order: String = "1", request: String = "1234567", card: SimulatedCard = .visa,
        change: (String) -> String = { $0 }
    ) async throws -> Reply {
        let body = Sample.walletAuthorization(try self.token(minorUnits, card: card), order: order, request: request)
        return try await self.send("creditcard/auth/DW.xml", change(body))
    }

    /// Authorizes, and gives the token of the reply.
    func authorized(
        _ minorUnits: Int64, order: String = "1", card: SimulatedCard = .visa
    ) async throws -> String {
        let reply = try await self.authorize(minorUnits, order: order, request: "auth-\(order)", card: card)
        guard reply["ResponseCode"] == "APPROVED" else { throw Reply.Failure(description: reply.text) }
        return reply.accountToken
    }

    func settle(
        _ token: String, _ amount: String, _ kind: String = "Debit", order: String = "1", request: String,
        tender: String = "VC", isFinal: Bool = false, extra: String = ""
    ) async throws -> Reply {
        try await self.send(
            "settlement/create/\(tender).xml",
            Sample.settlement(
                token, amount, kind, order: order, request: request, isFinal: isFinal ? "true" : "", extra: extra))
    }

    func cancel(
        _ token: String, _ amount: String, order: String = "1", request: String = "c1", tender: String = "VC"
    ) async throws -> Reply {
        try await self.send("auth/cancel/\(tender).xml", Sample.cancel(token, amount, order: order, request: request))
    }

    func confirm(
        _ token: String, _ amount: String, order: String = "1", tender: String = "VC", path: String = "funds/confirm"
    ) async throws -> Reply {
        try await self.send(
            "\(path)/\(tender).xml", Sample.confirmFunds(token, amount, order: order, request: "f1"))
    }

    // MARK: - Being notified

    /// What the store is sent now, all of it acknowledged.
    func sent() async throws -> [(delivery: Delivery, notification: OutgoingNotification)] {
        var sent: [(delivery: Delivery, notification: OutgoingNotification)] = []
        while true {
            let deliveries = try await self.test.gateway.leaseDeliveries(limit: 10)
            guard !deliveries.isEmpty else { return sent }
            for delivery in deliveries {
                guard let context = try await self.test.gateway.merchantContext(for: delivery) else { continue }
                let count = self.radial.notificationsCount(for: delivery)
                if count > 0 {
                    sent.append((delivery, try self.radial.notification(for: delivery, merchant: context)))
                }
                try await self.test.gateway.record(.delivered("http_200"), of: delivery)
            }
        }
    }

    func events() async throws -> [XMLElement] {
        try await self.sent().map { try XMLReader.read($0.notification.body) }
    }
}
