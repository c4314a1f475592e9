//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import BaseEncoding
import CommWeb
import DialectKit
import Gateway
import HTTPTypes
import Money
import PAYONE
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import WalletSimulator

@testable import AdminAPI

/// What a webhook says, as operators are shown it. That no dialect's holds a secret, its conformance suite says.
@Suite struct EventMessageTests {
    @Test func formIsShownWithoutTheAccountsKey() async throws {
        let desk = try await Desk.open()
        let shop = try await Sender.open(desk, PAYONE.dialectName, secrets: ["key": "PLANTED-payone-key"])
        let event = try await shop.sell(PlannedLabels.payone)
        let reply = try await desk.expect(200, .get, "/events/\(event.id)/message")
        #expect(reply.json["method"] == "POST")
        #expect(reply.json["url"] == "https://hooks.example:8443/…")
        #expect(reply.json["message"]?.integer == 0)
        #expect(reply.json["messages"]?.integer == 2)
        #expect(reply.header("Pomona-Event-Id") == event.id.text)
        #expect(reply.header("Pomona-Attempt") == "1")
        #expect(reply.header("User-Agent") == "PAYONE FinanceGate")
        let lines = reply.json["body"]?.string?.split(separator: "\n").map(String.init) ?? []
        #expect(lines.first == "key=…(hidden)")
        #expect(lines.contains("txaction=appointed"))
        #expect(lines.contains("price=10.00"))
        try await shop.expectNothingSecret(in: reply)
        // The second message, and no third.
        let second = try await desk.expect(200, .get, "/events/\(event.id)/message", query: "message=1")
        #expect(second.json["body"]?.string?.contains("txaction=paid") == true)
        #expect(second.header("Pomona-Event-Id") == "\(event.id)-2")
        let third = try await desk.expect(404, .get, "/events/\(event.id)/message", query: "message=2")
        #expect(third.code == "message_unknown")
        // Looking changes nothing.
        #expect(try await desk.test.store.read { try $0.event(event.id) } == event)
    }

    @Test func jsonIsShownWithoutHeadersThatProveTheSenderAndWithoutTheCardHolder() async throws {
        let desk = try await Desk.open()
        let shop = try await Sender.open(
            desk, CommWeb.dialectName,
            secrets: ["password": "PLANTED-password", "notificationSecret": "PLANTED-notification-secret"])
        let event = try await shop.sell(PlannedLabels.commweb)
        let reply = try await desk.expect(200, .get, "/events/\(event.id)/message")
        #expect(reply.header("X-Notification-Secret") == "…(hidden)")
        #expect(reply.header("Pomona-Signature") == "…(hidden)")
        #expect(reply.header("X-Notification-ID") == event.id.text)
        #expect(reply.header("Content-Type") == "application/json;charset=UTF-8")
        let body = try JSON.parse(reply.json["body"]?.string?.utf8.map { $0 } ?? [])
        #expect(body["order"]?["id"] == "p")
        #expect(body["order"]?["amount"]?.text() == "10.00")
        let card = body["sourceOfFunds"]?["provided"]?["card"]
        #expect(card?["nameOnCard"] == "…(hidden)")
        #expect(card?["expiry"] != .null)
        #expect(card?["brand"] == "VISA")
        #expect(body["order"]?["reference"] == "see https://files.example/… and more")
        try await shop.expectNothingSecret(in: reply)
    }

    @Test func attemptIsTheNext() async throws {
        let desk = try await Desk.open()
        let shop = try await Sender.open(desk, PAYONE.dialectName, secrets: ["key": "PLANTED-payone-key"])
        let event = try await shop.sell(PlannedLabels.payone)
        let path = "/events/\(event.id)/message"
        let gateway = desk.test.gateway
        // A dead one begins anew when it is sent again.
        for (retryAt, attempt) in [(desk.test.clock.now, "2"), (nil, "1")] {
            let delivery = try #require(try await gateway.leaseDeliveries(limit: 1).first)
            try await gateway.record(.failed("http_503", retryAt: retryAt), of: delivery, messagesCount: 2)
            #expect(try await desk.expect(200, .get, path).header("Pomona-Attempt") == attempt)
        }
    }

    @Test func saysWhyThereIsNoMessage() async throws {
        let desk = try await Desk.open()
        let shop = try await Sender.open(desk, PAYONE.dialectName, secrets: ["key": "PLANTED-payone-key"])
        let event = try await shop.sell(PlannedLabels.payone)
        let path = "/events/\(event.id)/message"
        // A closed merchant's events go out to their end.
        _ = try await desk.administration.closeMerchant(shop.merchant.id)
        try await desk.expect(200, .get, path)
        let keyless = try await Sender.open(desk, PAYONE.dialectName, "keyless", secrets: [:])
        let unwritable = try await keyless.sell(PlannedLabels.payone)
        let reply = try await desk.expect(409, .get, "/events/\(unwritable.id)/message")
        #expect(reply.code == "message_not_writable")
        #expect(reply.json["detail"]?.string?.contains("the account has no key") == true)
        let unspoken = try await Sender.open(desk, DialectName("klingon"), "unspoken", secrets: [:])
        let other = try await unspoken.sell(PlannedLabels.payone)
        #expect(try await desk.expect(409, .get, "/events/\(other.id)/message").code == "message_not_loaded")
        let unnamed = try await Sender.open(desk, CommWeb.dialectName, "unnamed", secrets: [:])
        let silent = try await unnamed.sell { OperationLabels(notifyURL: $0) }
        #expect(try await desk.expect(409, .get, "/events/\(silent.id)/message").code == "message_not_sent")
        let nobody = "/events/evt_\(String(repeating: "0", count: 26))/message"
        #expect(try await desk.expect(404, .get, nobody).code == "not_found")
        #expect(try await desk.expect(404, .get, "/events/evt_1/message").code == "not_found")
        try await desk.expect(400, .get, path, query: "message=-1")
    }

    /// An account that somebody has changed past the operator speaks for nobody.
    @Test func accountThatDoesNotOpenHasNoMessage() async throws {
        let desk = try await Desk.open()
        let shop = try await Sender.open(desk, PAYONE.dialectName, secrets: ["key": "PLANTED-payone-key"])
        let event = try await shop.sell(PlannedLabels.payone)
        let merchant = shop.merchant.id
        try await desk.test.store.write { transaction in
            let account = try #require(try transaction.account(dialect: PAYONE.dialectName, merchant: merchant))
            try transaction.upsert(
                MerchantAccount(
                    merchantID: merchant, dialect: account.dialect, key: account.key, aliases: account.aliases,
                    settings: ["captureModeDefault": "completed"], secrets: account.secrets))
        }
        // What a gateway has read before, it reads again after a while.
        desk.test.clock.advance(seconds: 60)
        let reply = try await desk.expect(409, .get, "/events/\(event.id)/message")
        #expect(reply.code == "message_account_gone")
    }

    @Test func othersMessagesAreNotThere() async throws {
        let desk = try await Desk.open()
        let shop = try await Sender.open(desk, PAYONE.dialectName, secrets: ["key": "PLANTED-payone-key"])
        let own = try await Till.open(desk, "own", "2")
        let event = try await shop.sell(PlannedLabels.payone)
        let path = "/events/\(event.id)/message"
        for role in Role.allCases {
            let token = try await desk.token(Access(role, merchants: [own.merchant.id]))
            let mayRead = role.scopes.contains(.webhooksRead)
            let reply = try await desk.expect(mayRead ? 404 : 403, .get, path, token: token)
            #expect(!reply.json.text().contains("hooks.example"))
        }
        let viewer = try await desk.token(Access(.viewer, merchants: [shop.merchant.id]))
        try await desk.expect(200, .get, path, token: viewer)
        try await desk.expect(403, .get, path, token: try await desk.token(Access(scopes: [.paymentsRead])))
    }
}

/// What a dialect writes on an operation, as far as its notifications need it.
private enum PlannedLabels {
    static func payone(_ target: String) -> OperationLabels {
        OperationLabels(
            reference: "order-1", notifyURL: target, fields: ["txid": "1234", "param": "PLANTED-query in a text"])
    }

    static func commweb(_ target: String) -> OperationLabels {
        OperationLabels(
            reference: "ref-1", notifyURL: target,
            fields: [
                "transaction": "1", "nameOnCard": "PLANTED HOLDER", "instrument": "card",
                "orderReference": "see https://user:PLANTED-user@files.example/PLANTED-file and more",
            ])
    }
}

/// A merchant whose payments are reported.
private struct Sender {
    let desk: Desk
    let merchant: TestMerchant
    let context: MerchantContext
    let secrets: [String]

    static func open(
        _ desk: Desk, _ dialect: DialectName, _ name: String = "sender", secrets: [String: String]
    ) async throws -> Sender {
        let merchant = try await desk.test.addMerchant(
            name, dialect: dialect, key: "key-\(name)", secrets: secrets.mapValues { Redacted($0) })
        let own = try await desk.administration.webhookSecrets(of: merchant.id, dialect: dialect)
        let before = own.current
        let rotated = try await desk.administration.rotateWebhookSecret(of: merchant.id, dialect: dialect)
        let context = try #require(try await desk.test.gateway.account(dialect: dialect, key: merchant.key))
        return Sender(
            desk: desk, merchant: merchant, context: context,
            secrets: Array(secrets.values) + [before.reveal(), rotated.current.reveal()])
    }

    /// A sale, and its event.
    func sell(_ labels: (_ target: String) -> OperationLabels) async throws -> OutboxEvent {
        let euro = try #require(Currency.alphabetic("EUR"))
        let amount = Money(minorUnits: 10_00, currency: euro)
        let token = try self.desk.test.mint(amount, for: self.merchant)
        let payment = try await self.desk.test.gateway.authorize(
            AuthorizeCommand(
                context: CallContext(
                    merchant: self.context,
                    idempotency: .init(operation: "authorize", key: "p", digest: requestDigest("p".utf8))),
                instrument: .applePay(json: token.paymentToken), amount: amount, order: .named("p"), purpose: .sale,
                labels: labels("https://hooks.example:8443/shop/PLANTED-path?token=PLANTED-query"))
        ).payment
        let events = try await self.desk.test.store.read { try $0.events(of: payment.id) }
        return try #require(events.first)
    }

    /// Neither what was planted, nor what the account has, nor a digest of that, nor a signature.
    func expectNothingSecret(in reply: Desk.Reply, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let text = reply.json.text()
        #expect(!text.contains("PLANTED"), "\(text)", sourceLocation: sourceLocation)
        #expect(!text.contains("v1="), "\(text)", sourceLocation: sourceLocation)
        for secret in self.secrets {
            let bytes = Array(secret.utf8)
            for form in [secret, Base64.encode(bytes), Hex.encode(bytes)] {
                #expect(!text.contains(form), sourceLocation: sourceLocation)
            }
        }
        if let digest = self.context.digest(.md5, of: "key") {
            #expect(!text.contains(digest.reveal()), sourceLocation: sourceLocation)
        }
        for secret in self.desk.test.jar.secrets {
            let form = String(decoding: secret.bytes, as: UTF8.self)
            #expect(!text.contains(form), "\(secret.name)", sourceLocation: sourceLocation)
        }
    }
}

extension Desk.Reply {
    /// Of a message, the header of that name.
    fileprivate func header(_ name: String) -> String? {
        self.json["headers"]?.array?.first { $0["name"]?.string == name }?["value"]?.string
    }
}
