//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import Redaction
import Testing
import Time

@testable import Gateway

/// What an account's webhooks are signed with.
@Suite struct WebhookSecretTests {
    private static let day = WebhookSecrets.overlapSeconds

    @Test func accountGetsOneAtFirstUseAndKeepsIt() async throws {
        let shop = try await Shop.open()
        let (gateway, id) = (shop.gateway, shop.merchant.merchant.id)
        #expect(try await gateway.administration.knownWebhookSecrets(of: id, dialect: Shop.dialect) == nil)
        #expect(!shop.merchant.hasWebhookSecret)
        // However many ask at once, they get the same.
        let made = try await withThrowingTaskGroup(of: WebhookSecrets.self) { group in
            for _ in 0..<8 {
                group.addTask { try await gateway.administration.webhookSecrets(of: id, dialect: Shop.dialect) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        let secrets = try #require(made.first)
        #expect(made.count == 1 && secrets.previous == nil)
        let text = secrets.current.reveal()
        #expect(text.count == 69 && text.hasPrefix("pwhs_") && text.dropFirst(5).allSatisfy { $0.isHexDigit })
        let node = try await shop.restarted()
        #expect(try await node.gateway.administration.webhookSecrets(of: id, dialect: Shop.dialect) == secrets)
        let context = try #require(try await gateway.account(dialect: Shop.dialect, key: "account-first"))
        #expect(context.hasWebhookSecret)
        #expect(context.matches(Redacted("correct horse battery staple"), secret: "password"))
    }

    @Test func secretsAreSealedInTheStore() async throws {
        let shop = try await Shop.open()
        let id = shop.merchant.merchant.id
        let first = try await shop.gateway.administration.webhookSecrets(of: id, dialect: Shop.dialect)
        let second = try await shop.gateway.administration.rotateWebhookSecret(of: id, dialect: Shop.dialect)
        let account = try #require(try await shop.store.read { try $0.account(dialect: Shop.dialect, merchant: id) })
        #expect(
            account.secrets.keys.filter { $0 != AccountSeal.secretName }.sorted()
                == ["password", "pomonaWebhookSecret", "pomonaWebhookSecretPrevious"])
        let boxes = account.secrets.values.map { String(decoding: $0.box, as: UTF8.self) }
        for secret in [first.current, second.current] {
            #expect(!boxes.contains { $0.contains(secret.reveal().dropFirst(5).prefix(8)) })
        }
    }

    @Test func theOldOneSignsBesideTheNewOneForADay() async throws {
        let shop = try await Shop.open()
        let (gateway, id) = (shop.gateway, shop.merchant.merchant.id)
        let old = try await gateway.administration.webhookSecrets(of: id, dialect: Shop.dialect)
        let now = gateway.now()
        let new = try await gateway.administration.rotateWebhookSecret(of: id, dialect: Shop.dialect)
        #expect(new.current != old.current)
        #expect(new.previous?.secret == old.current)
        #expect(new.previous?.signsUntil == now.adding(seconds: Self.day))
        #expect(try await gateway.administration.webhookSecrets(of: id, dialect: Shop.dialect) == new)
        #expect(new.signing(at: now.adding(seconds: Self.day - 1)) == [new.current, old.current])
        #expect(new.signing(at: now.adding(seconds: Self.day)) == [new.current])
        // One more: the first is gone.
        let newest = try await gateway.administration.rotateWebhookSecret(of: id, dialect: Shop.dialect)
        #expect(newest.signing(at: now) == [newest.current, new.current])
    }

    @Test func signsWithBothWhileOneIsBeingChanged() async throws {
        let shop = try await Shop.open()
        let id = shop.merchant.merchant.id
        let old = try await shop.gateway.administration.webhookSecrets(of: id, dialect: Shop.dialect)
        let new = try await shop.gateway.administration.rotateWebhookSecret(of: id, dialect: Shop.dialect)
        let context = try #require(try await shop.gateway.account(dialect: Shop.dialect, key: "account-first"))
        let body = Array("body".utf8)
        let now = shop.gateway.now()
        func verdicts(at time: Timestamp) throws -> [WebhookSignature.Verdict] {
            let signature = try #require(context.webhookSignature(messageID: "evt_1", body: body, at: time))
            return [old, new].map {
                WebhookSignature.verdict(
                    header: signature.text, messageID: "evt_1", body: body, secrets: [$0.current], at: time)
            }
        }
        #expect(try verdicts(at: now) == [.valid, .valid])
        #expect(try verdicts(at: now.adding(seconds: Self.day)) == [.forged, .valid])
    }

    @Test func changesOfTheAccountKeepThem() async throws {
        let shop = try await Shop.open()
        let (gateway, id) = (shop.gateway, shop.merchant.merchant.id)
        try await gateway.administration.webhookSecrets(of: id, dialect: Shop.dialect)
        let secrets = try await gateway.administration.rotateWebhookSecret(of: id, dialect: Shop.dialect)
        try await gateway.administration.changeSettings(of: id, dialect: Shop.dialect) { $0["city"] = "Ottawa" }
        #expect(try await gateway.administration.webhookSecrets(of: id, dialect: Shop.dialect) == secrets)
        try await gateway.administration.putAccount(
            merchant: id, dialect: Shop.dialect, key: "account-first", settings: [:],
            secrets: ["password": Redacted("another")])
        #expect(try await gateway.administration.webhookSecrets(of: id, dialect: Shop.dialect) == secrets)
        let context = try #require(try await gateway.account(dialect: Shop.dialect, key: "account-first"))
        #expect(context.matches(Redacted("another"), secret: "password") && context.settings.isEmpty)
    }

    @Test func refusesWhoHasNoAccount() async throws {
        let shop = try await Shop.open()
        let (gateway, id) = (shop.gateway, shop.merchant.merchant.id)
        let other = DialectName("other")
        await #expect(throws: AdministrationError.self) {
            try await gateway.administration.webhookSecrets(of: id, dialect: other)
        }
        await #expect(throws: AdministrationError.self) {
            try await gateway.administration.knownWebhookSecrets(of: id, dialect: other)
        }
        await #expect(throws: AdministrationError.self) {
            try await gateway.administration.rotateWebhookSecret(of: id, dialect: other)
        }
    }

    /// A text that this program has not written is no secret.
    @Test(arguments: ["", "pwhs_00", "x:pwhs_00", ":"])
    func aPreviousSecretWithoutItsEndSignsNothing(text: String) {
        let secrets = WebhookSecrets { $0 == WebhookSecrets.currentName ? Redacted("a") : Redacted(text) }
        #expect(secrets?.previous == nil)
        #expect(secrets?.signing(at: Timestamp(seconds: 0)) == [Redacted("a")])
    }
}
