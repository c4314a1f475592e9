//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import AlphaPay
import ApplePayToken
import Clients
import CommWeb
import CryptoExtras
import DialectKit
import Foundation
import Gateway
import HTTPTypes
import Money
import PAYONE
import Payments
import Radial
import Redaction
import StrictJSON
import Synchronization
import TapPay
import TestGateway
import Testing
import Time
import WalletSimulator
import WebFiles

@testable import Storefront

/// A shop that is a customer of a real gateway in every dialect: the requests of its clients go to the dialects,
/// without a socket between.
struct ShopFixture: Sendable {
    let test: TestGateway
    let dialects: [any Dialect]
    let merchants: [String: TestMerchant]
    let accounts: [ShopAccount]
    let service: ShopService
    let network: Network

    static let names = ["tappay", "alphapay", "commweb", "payone", "radial"]
    static let shopURL = "http://127.0.0.1:8080"
    /// What must be seen nowhere.
    static let password = "commweb-PASSWORD-\"/+="
    static let notificationSecret = "commweb-NOTIFY-secret"
    static let payoneKey = "payone-KEY-abcdef"
    static let radialKey = "radial-APIKEY-123456"
    static let partnerKey = "partner_KEY_0123456789abcdef"
    static let appKey = "app_KEY_0123456789abcdef"

    static let files = WebFiles(files: [
        "shop/index.html": Array("<!doctype html><title>Shop</title>".utf8),
        "shop/shop.css": Array("body{}".utf8),
        "wallet/apple-pay-simulator.js": Array("(() => {})();".utf8),
        "sdk/tpdirect.js": Array("var TPDirect = {};".utf8),
        "sdk/tpdirect.d.ts": Array("declare namespace TPDirect {}".utf8),
        "sdk/modules/index.js": Array("export const a = 1;".utf8),
    ])

    /// RSA keys take time to make.
    private static let keys = Result {
        (
            merchant: try _RSA.Signing.PrivateKey(keySize: .bits2048),
            gateway: try _RSA.Signing.PrivateKey(keySize: .bits2048)
        )
    }

    /// What the shop can reach, which a test may cut off.
    final class Network: Sendable {
        enum Fault: Sendable {
            case unreachable
            case answers(Int, String)
        }

        private let state = Mutex<Fault?>(nil)

        var fault: Fault? { self.state.withLock { $0 } }

        func fail(_ fault: Fault?) { self.state.withLock { $0 = fault } }
    }

    /// - Parameters:
    ///   - names: the dialects in which the shop has an account.
    ///   - withIdentities: whether the merchants may ask for merchant sessions; their RSA keys take time to make.
    static func open(_ names: String..., withIdentities: Bool = false) async throws -> ShopFixture {
        let authority = try TestAuthorities.authority(.sandbox)
        let test = try await TestGateway.open { parts in
            let now = parts.clock
            let random = parts.random
            parts.settings.sandboxPageHosts = ["localhost"]
            parts.requestMerchantSession = { request throws(MerchantSessionFailure) in
                try Self.session(request, authority: authority, now: now(), random: random)
            }
        }
        let keys = try Self.keys.get()
        let merchants = try await Self.merchants(test, keys, names.isEmpty ? ["commweb"] : names, withIdentities)
        let dialects: [any Dialect] = [
            AlphaPay(gateway: test.gateway), CommWeb(gateway: test.gateway), PAYONE(gateway: test.gateway),
            Radial(gateway: test.gateway), TapPay(gateway: test.gateway),
        ]
        let network = Network()
        let now = test.clock
        let bytes = RandomBytes()
        let parts = ShopParts(
            accounts: try Self.accounts(keys, clock: { now.now }, random: bytes.next),
            wire: Self.wire(dialects, network),
            view: GatewayView(
                gateway: test.gateway, accountKeys: merchants.mapValues(\.key),
                verifier: TokenVerifier(trustRoots: [
                    try TrustAnchor(certificatePEM: authority.rootCertificatePEM)
                ])),
            shopURL: { Self.shopURL }, clock: { now.now }, random: bytes.next)
        return ShopFixture(
            test: test, dialects: dialects, merchants: merchants, accounts: parts.accounts,
            service: ShopService(files: Self.files, parts: parts),
            network: network)
    }

    private static func accounts(
        _ keys: (merchant: _RSA.Signing.PrivateKey, gateway: _RSA.Signing.PrivateKey),
        clock: @escaping @Sendable () -> Timestamp, random: @escaping @Sendable (Int) -> [UInt8]
    ) throws -> [ShopAccount] {
        func account(
            _ client: any PaymentClient, _ currency: String, _ country: String
        ) throws -> ShopAccount {
            ShopAccount(
                client: client, title: client.name, currency: try #require(Currency.alphabetic(currency)),
                countryCode: country, merchantIdentifier: "merchant.com.example.\(client.name)")
        }
        return [
            try account(
                TapPayClient(
                    .init(
                        appID: 12345, appKey: Redacted(Self.appKey), partnerKey: Redacted(Self.partnerKey),
                        merchantID: "GlobalTesting_CTBC", merchantIdentifier: "merchant.com.example.tappay")), "TWD",
                "TW"),
            try account(
                try AlphaPayClient(
                    .init(
                        merchantCode: "POMONA", keyVersion: "1",
                        privateKeyPEM: Redacted(keys.merchant.pkcs8PEMRepresentation),
                        gatewayPublicKeyPEM: keys.gateway.publicKey.pemRepresentation), clock: clock, random: random),
                "CAD", "CA"),
            try account(
                CommWebClient(
                    .init(
                        merchantID: "POMONA", password: Redacted(Self.password),
                        notificationSecret: Redacted(Self.notificationSecret))), "USD", "AU"),
            try account(
                PAYONEClient(
                    .init(mid: "10001", aid: "20002", portalID: "3000003", key: Redacted(Self.payoneKey))), "EUR", "DE"),
            try account(
                RadialClient(.init(storeID: "POMONA", apiKey: Redacted(Self.radialKey))), "USD", "US"),
        ]
    }

    private static func merchants(
        _ test: TestGateway, _ keys: (merchant: _RSA.Signing.PrivateKey, gateway: _RSA.Signing.PrivateKey),
        _ names: [String], _ withIdentities: Bool
    ) async throws -> [String: TestMerchant] {
        func notify(_ name: String) -> String { "\(Self.shopURL)/shop/notifications/\(name)" }
        let tapPay = TapPay.accountDraft(
            appID: 12345, appKey: Redacted(Self.appKey), partnerKey: Redacted(Self.partnerKey),
            merchantIDs: ["GlobalTesting_CTBC"], allowsInsecureNotify: true)
        let drafts: [(String, String, [String: String], [String: Redacted<String>])] = [
            {
                let draft = AlphaPay.accountDraft(
                    merchantPublicKeyPEM: keys.merchant.publicKey.pemRepresentation,
                    gatewayPrivateKeyPEM: Redacted(keys.gateway.pkcs8PEMRepresentation),
                    gatewayPublicKeyPEM: keys.gateway.publicKey.pemRepresentation, allowsInsecureNotify: true)
                return ("alphapay", "POMONA", draft.settings, draft.secrets)
            }(),
            {
                let draft = CommWeb.accountDraft(
                    password: Redacted(Self.password), notificationSecret: Redacted(Self.notificationSecret),
                    notifyURL: notify("commweb"), allowsInsecureNotify: true)
                return ("commweb", "POMONA", draft.settings, draft.secrets)
            }(),
            {
                let draft = PAYONE.accountDraft(
                    mid: "10001", aids: ["20002"], key: Redacted(Self.payoneKey), notificationURL: notify("payone"))
                return ("payone", "3000003", draft.settings, draft.secrets)
            }(),
            {
                let draft = Radial.accountDraft(apiKey: Redacted(Self.radialKey), webhookURL: notify("radial"))
                return ("radial", "POMONA", draft.settings, draft.secrets)
            }(),
            ("tappay", "12345", tapPay.settings, tapPay.secrets),
        ]
        var merchants: [String: TestMerchant] = [:]
        for (name, key, settings, secrets) in drafts where names.contains(name) {
            let merchant = try await test.addMerchant(
                name, dialect: DialectName(name), key: key, settings: settings, secrets: secrets,
                merchantIdentifier: "merchant.com.example.\(name)")
            if withIdentities { try await test.certifyIdentity(of: merchant) }
            merchants[name] = merchant
        }
        guard let tapPayMerchant = merchants["tappay"] else { return merchants }
        try await test.gateway.administration.putAccount(
            merchant: tapPayMerchant.id, dialect: DialectName("tappay"), key: "12345", aliases: tapPay.aliases,
            settings: tapPay.settings, secrets: tapPay.secrets)
        return merchants
    }

    private static func session(
        _ request: MerchantSessionRequest, authority: TestAuthority, now: Timestamp, random: (Int) -> [UInt8]
    ) throws(MerchantSessionFailure) -> Redacted<[UInt8]> {
        let body: JSON = [
            "merchantIdentifier": .string(request.merchantIdentifier), "displayName": .string(request.displayName),
            "initiative": "web", "initiativeContext": .string(request.domainName),
        ]
        do {
            let certificate = try AppleCertificate(Array(request.identity.certificatePEM.utf8))
            let apple = SimulatedMerchantValidation(
                authority: authority,
                registrations: Dictionary(
                    uniqueKeysWithValues: Self.names.map { ("merchant.com.example.\($0)", ["localhost"]) }))
            let answer = try apple.answer(
                .paymentSession, clientCertificateDER: certificate.der, body: body.serialized(),
                now: now.walletDate, random: random)
            guard answer.status == 200 else { throw MerchantSessionFailure.requestRefused }
            return Redacted(answer.json.serialized())
        } catch let error as MerchantSessionFailure {
            throw error
        } catch {
            throw MerchantSessionFailure.connectionFailed
        }
    }

    private static func wire(_ dialects: [any Dialect], _ network: Network) -> ShopWire {
        ShopWire { request throws(ShopWireError) in
            switch network.fault {
            case .unreachable: throw ShopWireError("The payment service did not answer.")
            case .answers(let status, let text): return ClientReply(status: status, body: Array(text.utf8))
            case nil: break
            }
            guard let dialect = dialects.first(where: { $0.owns(request.path) }) else {
                throw ShopWireError("There is no dialect for \(request.path).")
            }
            var headers = HTTPFields()
            for (name, value) in request.headers {
                if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value.reveal())) }
            }
            let response = await dialect.respond(
                to: WireRequest(
                    method: request.method, path: request.path, headers: headers, body: request.body.reveal()))
            return ClientReply(status: Int(response.status.code), headers: response.headers, body: response.body)
        }
    }
}

/// Bytes that differ from call to call.
final class RandomBytes: Sendable {
    private let count = Mutex<UInt64>(0)

    @Sendable func next(_ length: Int) -> [UInt8] {
        let number = self.count.withLock { count in
            count += 1
            return count
        }
        return (0..<length).map { UInt8(truncatingIfNeeded: number &* 2_654_435_761 >> (UInt64($0) % 8 * 8)) }
    }
}

// MARK: - What a page does

extension ShopFixture {
    func get(_ path: String, query: String? = nil) async -> WireResponse {
        await self.service.respond(to: WireRequest(method: .get, path: path, query: query))
    }

    func post(_ path: String, _ body: JSON) async -> WireResponse {
        await self.service.respond(
            to: WireRequest(
                method: .post, path: path, headers: [.contentType: "application/json"], body: body.serialized()))
    }

    func order(_ dialect: String, item: String = "teapot", quantity: Int = 1) async throws -> JSON {
        let response = await self.post(
            "/shop/api/orders",
            [
                "dialect": .string(dialect), "items": [["id": .string(item), "quantity": JSON(quantity)]],
                "shippingId": "standard",
            ])
        #expect(response.status == .ok)
        return try JSON.parse(response.body)
    }

    /// A token for an order, as the payment sheet would get it.
    func token(_ order: JSON, _ dialect: String, card: SimulatedCard = .visa) throws -> JSON {
        let merchant = try #require(self.merchants[dialect])
        let currency = try #require(order["currency"]?.string.flatMap(Currency.alphabetic))
        let amount = try Money(decimalText: order["amount"]?.string ?? "", currency: currency)
        return try self.test.mint(amount, for: merchant, card: card).paymentToken
    }

    func perform(_ operation: String, _ order: JSON, _ body: JSON = [:]) async throws -> JSON {
        try JSON.parse(
            await self.post("/shop/api/orders/\(order["orderId"]?.string ?? "")/\(operation)", body).body)
    }

    func exchange(_ order: JSON, after: Int = 0) async throws -> JSON {
        let response = await self.get(
            "/shop/api/orders/\(order["orderId"]?.string ?? "")/exchange", query: "after=\(after)")
        return try JSON.parse(response.body)
    }

    /// Everything that the exchange shows of an order.
    func shown(_ order: JSON) async throws -> String {
        String(decoding: try await self.exchange(order).serialized(), as: UTF8.self)
    }

    /// Takes every notification that waits to the shop's inbox. Answers the statuses, with those of the wrong dialects
    /// left alone.
    func deliver(_ change: (inout WireRequest) -> Void = { _ in }) async throws -> [Int] {
        var statuses: [Int] = []
        for delivery in try await self.test.gateway.leaseDeliveries(limit: 100) {
            guard let dialect = self.dialects.first(where: { $0.name == delivery.event.dialect }),
                let merchant = try await self.test.gateway.merchantContext(for: delivery),
                dialect.notificationsCount(for: delivery) > 0
            else { continue }
            let notification = try dialect.notification(for: delivery, merchant: merchant)
            var headers = HTTPFields()
            for header in notification.headers {
                if let name = HTTPField.Name(header.name) { headers.append(HTTPField(name: name, value: header.value)) }
            }
            var request = WireRequest(
                method: .post, path: "/shop/notifications/\(dialect.name.text)", headers: headers,
                body: notification.body)
            change(&request)
            let response = await self.service.respond(to: request)
            #expect(
                dialect.isAcknowledged(status: Int(response.status.code), body: response.body)
                    == (response.status == .ok))
            statuses.append(Int(response.status.code))
        }
        return statuses
    }
}

extension JSON {
    var status: String { self["status"]?.string ?? "none" }
    var errorCode: String { self["error"]?["code"]?.string ?? "none" }

    /// The titles of an exchange's entries of a kind.
    func titles(_ kind: String) -> [String] {
        (self["entries"]?.array ?? []).filter { $0["kind"]?.string == kind }.compactMap { $0["title"]?.string }
    }
}
