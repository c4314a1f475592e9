//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AlphaPay
import CryptoExtras
import DialectConformance
import DialectKit
import Payments
import Redaction
import StrictJSON
import Testing

@Suite struct AccountPlanTests {
    private static func signature(_ version: Int) -> String {
        "algorithm=RS256, keyVersion=\(version), signature=%s"
    }

    private func code(
        _ key: _RSA.Signing.PrivateKey?, version: Int = 1, at shop: TestShop
    ) async throws -> String {
        let reply = try await shop.call("inquiryPayment", ["paymentId": "none"]) {
            $0.key = key
            $0.signatureHeader = Self.signature(version)
        }
        #expect(reply.isSigned)
        return reply.code
    }

    /// Under one version, and under a version for each.
    @Test func keyBeforeIsTakenUntilItIsRevoked() async throws {
        let shop = try await TestShop.open()
        let next = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let draft = AlphaPay.accountDraft(
            merchantPublicKeyPEM: try Keys.merchant.publicKey.pemRepresentation,
            gatewayPrivateKeyPEM: Redacted(try Keys.gateway.pemRepresentation),
            gatewayPublicKeyPEM: try Keys.gateway.publicKey.pemRepresentation)
        var account = AccountDraft(key: TestShop.merchantCode, settings: draft.settings, secrets: draft.secrets)
        let taken = try await self.code(nil, at: shop)
        #expect(try await self.code(next, at: shop) == "INVALID_SIGNATURE")
        try await shop.test.replace(
            "publicKey", by: next.publicKey.pemRepresentation, in: &account, of: shop.merchant, AlphaPay.accounts)
        for key in [next, nil] { #expect(try await self.code(key, at: shop) == taken) }
        let stranger = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        #expect(try await self.code(stranger, at: shop) == "INVALID_SIGNATURE")
        #expect(try await self.code(next, version: 2, at: shop) == "KEY_VERSION_UNKNOWN")
        account.settings["keyVersion"] = "2"
        try await shop.test.write(account, of: shop.merchant)
        #expect(try await self.code(next, version: 2, at: shop) == taken)
        #expect(try await self.code(nil, version: 1, at: shop) == taken)
        #expect(try await self.code(next, version: 1, at: shop) == "INVALID_SIGNATURE")
        #expect(try await self.code(nil, version: 2, at: shop) == "INVALID_SIGNATURE")
        #expect(try await self.code(next, version: 3, at: shop) == "KEY_VERSION_UNKNOWN")
        try await shop.test.revokeReplaced("publicKey", in: &account, of: shop.merchant, AlphaPay.accounts)
        #expect(Set(account.settings.keys) == ["merchantPublicKey", "gatewayPublicKey", "keyVersion"])
        #expect(try await self.code(next, version: 2, at: shop) == taken)
        #expect(try await self.code(nil, version: 1, at: shop) == "KEY_VERSION_UNKNOWN")
        #expect(try await self.code(nil, version: 2, at: shop) == "INVALID_SIGNATURE")
    }

    @Test func whoHasAKeyOfItsOwnKeepsItToItself() async throws {
        let tools = AccountTools(
            random: AccountTools.test.random,
            keys: AccountKeyTools(
                makeRSAKey: { .init(privateKeyPEM: Redacted("gateway"), publicKeyPEM: "gateway's") },
                rsaKey: { .init(privateKeyPEM: Redacted($0), publicKeyPEM: "\($0)'s") }, rsaPublicKey: { $0 },
                certificateSHA256: { _ in nil }))
        let order = AccountOrder(mode: .live, chosen: ["publicKey": "merchant's"])
        let made = try await AlphaPay.accounts.makeCredentials(order, tools)
        #expect(made.files.map(\.name) == ["publicKey", "gatewayPublicKey"] && !made.files.contains { $0.isPrivate })
        let draft = try AlphaPay.accounts.draft(made, order, tools.keys)
        #expect(
            draft.settings == [
                "merchantPublicKey": "merchant's", "gatewayPublicKey": "gateway's", "keyVersion": "1",
            ])
        #expect(draft.secrets["gatewayPrivateKey"]?.reveal() == "gateway")
        let both = AccountOrder(mode: .live, chosen: ["publicKey": "merchant's", "privateKey": "merchant"])
        await #expect(throws: AccountPlanError.self) { try await AlphaPay.accounts.makeCredentials(both, tools) }
        // It may be another, and must be one.
        var account = draft
        #expect(throws: AccountPlanError.self) { try AlphaPay.accounts.remove("publicKey", in: &account) }
    }

    @Test func gatewaysKeyIsReplacedAtOnce() throws {
        var account = AccountDraft(
            key: "SHOP", settings: ["gatewayPublicKey": "old's", "merchantPublicKey": "m"],
            secrets: ["gatewayPrivateKey": Redacted("old")])
        let made = AccountCredentials(
            files: [.init(name: "gatewayPublicKey", fileName: "g.pem", text: "new's", isPrivate: false)],
            hidden: ["gatewayPrivateKey": Redacted("new")])
        try AlphaPay.accounts.replace("gatewayKey", by: made, in: &account, AccountTools.test.keys)
        #expect(account.settings == ["gatewayPublicKey": "new's", "merchantPublicKey": "m"])
        #expect(account.secrets.mapValues { $0.reveal() } == ["gatewayPrivateKey": "new"])
    }

    @Test func itsNotificationsAreKnownAndItsAcknowledgementIsOne() async throws {
        let shop = try await TestShop.open()
        let mark = AlphaPay.accounts.notifications
        #expect(shop.alphaPay.isAcknowledged(status: 200, body: Array(mark.acknowledgement.utf8)))
        _ = try await shop.paid(100)
        let sent = try await shop.test.deliverAll(through: shop.alphaPay) { _ in (200, mark.acknowledgement) }
        #expect(!sent.isEmpty)
        for one in sent {
            #expect(mark.isShown { name in one.notification.headers.first { $0.name == name }?.value })
        }
    }
}
