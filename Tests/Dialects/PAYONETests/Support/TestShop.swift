//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Gateway
import HTTPTypes
import Money
import PAYONE
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import Time
import WalletSimulator

/// A gateway with one merchant, and all that a shop needs to call it.
struct TestShop: Sendable {
    static let notificationURL = "https://shop.example/payone/status"

    let test: TestGateway
    let payone: PAYONE
    let merchant: TestMerchant

    var mode: String { self.merchant.merchant.mode == .live ? "live" : "test" }

    static func open(
        mode: Mode = .sandbox, notificationURL: String? = TestShop.notificationURL,
        aids: [String] = ["20002", "20003"],
        certified: Bool = true, acquirer: String? = "simulator", captureModeDefault: PAYONE.CaptureMode? = nil,
        cardTypes: [PAYONE.CardType]? = nil, limits: CallerLimits = .none,
        configure: (inout GatewayParts) throws -> Void = { _ in }
    ) async throws -> TestShop {
        let test = try await TestGateway.open(mode: mode, configure: configure)
        let draft = PAYONE.accountDraft(
            mid: ShopForm.Account.mid, aids: aids, key: Redacted(ShopForm.Account.key),
            notificationURL: notificationURL, captureModeDefault: captureModeDefault, cardTypes: cardTypes)
        let merchant = try await test.addMerchant(
            "payone", dialect: PAYONE.dialectName, key: ShopForm.Account.portalID, settings: draft.settings,
            secrets: draft.secrets, certified: certified, acquirer: acquirer, countryCode: "DE")
        // The domain that its forms name.
        try await test.register(ShopForm.domain, for: merchant)
        return TestShop(test: test, payone: PAYONE(gateway: test.gateway, limits: limits), merchant: merchant)
    }

    static func euros(_ minorUnits: Int64) -> Money { self.money(minorUnits, "EUR") }

    static func money(_ minorUnits: Int64, _ code: String) -> Money {
        guard let currency = Currency.alphabetic(code) else { preconditionFailure("\(code) is no currency") }
        return Money(minorUnits: minorUnits, currency: currency)
    }

    // MARK: - Calling

    func send(_ request: WireRequest) async throws -> Reply {
        try Reply(await self.payone.respond(to: request))
    }

    func send(_ form: ShopForm) async throws -> Reply { try await self.send(form.urlEncoded()) }

    /// A preauthorization that is right in every way.
    func preauthorization(
        _ amount: Money = TestShop.euros(1000), reference: String = "10001_1", request: String = "preauthorization",
        card: SimulatedCard = .visa, options: MintOptions = MintOptions()
    ) throws -> ShopForm {
        ShopForm.authorization(
            amount, request: request, reference: reference,
            token: try self.test.mint(amount, for: self.merchant, card: card, options: options), mode: self.mode)
    }

    /// Preauthorizes; the txid.
    func preauthorized(_ minorUnits: Int64 = 1000, reference: String = "10001_1") async throws -> String {
        let reply = try await self.send(
            self.preauthorization(Self.euros(minorUnits), reference: reference))
        guard reply.status == "APPROVED" else { throw ShapeBroken("not preauthorized: \(reply.text)") }
        return reply.txid
    }

    /// Authorizes, which captures at once; the txid.
    func paid(_ minorUnits: Int64 = 1000, reference: String = "10001_1") async throws -> String {
        let reply = try await self.send(
            self.preauthorization(Self.euros(minorUnits), reference: reference, request: "authorization"))
        guard reply.status == "APPROVED" else { throw ShapeBroken("not authorized: \(reply.text)") }
        return reply.txid
    }

    /// The only payment there is.
    func payment() async throws -> Payment {
        let payments = try await self.test.payments()
        guard let payment = payments.first, payments.count == 1 else {
            throw ShapeBroken("there are \(payments.count) payments")
        }
        return payment
    }

    func direct(_ call: SimulatorCall, _ fault: SimulatorFault) {
        self.test.script.clear()
        self.test.script.append(.init(call, .nth(1), fault: fault))
    }

    // MARK: - Notifications

    /// What the merchant is sent now, everything acknowledged.
    func sent() async throws -> [SentNotification] {
        try await self.test.deliverAll(through: self.payone) { _ in (200, "TSOK") }
            .map { try SentNotification($0.notification, target: $0.target) }
    }
}

/// A TransactionStatus notification as the shop reads it.
struct SentNotification: Sendable {
    let target: String
    let headers: [String: String]
    let names: [String]
    private let fields: FormFields

    init(_ notification: OutgoingNotification, target: String) throws {
        self.target = target
        self.headers = Dictionary(notification.headers.map { ($0.name, $0.value) }) { $1 }
        self.fields = try FormFields(body: notification.body, contentType: self.headers["Content-Type"])
        self.names = self.fields.names
    }

    subscript(name: String) -> String? { try? self.fields.text(name, as: .latin1) }

    /// "capture 1 10.00/2.50/2.50": action, "pending" if it is, sequence number, price, balance, receivable.
    var summary: String {
        "\(self["txaction"] ?? "") "
            + (self["transaction_status"] == "completed" ? "" : "\(self["transaction_status"] ?? "") ")
            + "\(self["sequencenumber"] ?? "") "
            + [self["price"], self["balance"], self["receivable"]].map { $0 ?? "" }.joined(separator: "/")
    }
}

extension TestGateway {
    /// A page's domain, as `pomona domain add` registers it.
    func register(_ name: String, for merchant: TestMerchant) async throws {
        let domain = MerchantDomain(
            merchantID: merchant.merchant.id, name: name, file: "file", registeredAt: self.clock.now)
        try await self.store.write { try $0.upsert(domain) }
    }
}
