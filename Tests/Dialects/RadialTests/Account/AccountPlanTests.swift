//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import HTTPTypes
import Payments
import Redaction
import TestGateway
import Testing

@testable import Radial

@Suite struct AccountPlanTests {
    private func outcome(_ key: String, at shop: RadialShop) async throws -> String {
        let body = Sample.cardAuthorization("4111111111111111")
        return try await shop.send("creditcard/auth/VC.xml", body) { $0.headers[.apiKey] = key }.fault
    }

    @Test func keyBeforeIsTakenUntilItIsRevoked() async throws {
        let shop = try await RadialShop.open()
        let draft = Radial.accountDraft(apiKey: Redacted(RadialShop.apiKey))
        var account = AccountDraft(key: RadialShop.storeID, settings: draft.settings, secrets: draft.secrets)
        let (taken, refused) = ("200 CreditCardAuthReply", "403 InvalidApiKeyException")
        #expect(try await self.outcome("the-next-key", at: shop) == refused)
        try await shop.test.replace(
            "apikey", by: "the-next-key", in: &account, of: shop.merchant, Radial.accounts)
        for key in ["the-next-key", RadialShop.apiKey] {
            #expect(try await self.outcome(key, at: shop) == taken, "\(key)")
        }
        #expect(try await self.outcome("another-key", at: shop) == refused)
        try await shop.test.revokeReplaced("apikey", in: &account, of: shop.merchant, Radial.accounts)
        #expect(try await self.outcome("the-next-key", at: shop) == taken)
        #expect(try await self.outcome(RadialShop.apiKey, at: shop) == refused)
    }

    @Test func webhookPasswordIsReplacedAtOnceAndRemoved() async throws {
        var account = AccountDraft(key: RadialShop.storeID, settings: [:], secrets: ["apikey": Redacted("x")])
        let made = try await Radial.accounts.makeReplacement(
            of: "webhookPassword", chosen: "a-password", mode: .live, .test)
        try Radial.accounts.replace("webhookPassword", by: made, in: &account, AccountTools.test.keys)
        #expect(account.secrets["webhookPassword"]?.reveal() == "a-password" && account.secrets.count == 2)
        try Radial.accounts.remove("webhookPassword", in: &account)
        #expect(Set(account.secrets.keys) == ["apikey"])
    }

    @Test func itsNotificationsAreKnownAndItsAcknowledgementIsOne() async throws {
        let shop = try await RadialShop.open()
        let mark = Radial.accounts.notifications
        #expect(shop.radial.isAcknowledged(status: 200, body: Array(mark.acknowledgement.utf8)))
        let token = try await shop.authorized(1000)
        _ = try await shop.settle(token, "10.00", request: "s1")
        let sent = try await shop.sent().map(\.notification)
        #expect(!sent.isEmpty)
        for notification in sent {
            #expect(mark.isShown { name in notification.headers.first { $0.name == name }?.value })
        }
    }

    /// By the request and the token of its authorization, which need no row but its claim and the token's.
    @Test func anAuthorizationIsFoundByItsRequestAndItsToken() async throws {
        let shop = try await RadialShop.open()
        let token = try await shop.authorized(1000, order: "1")
        let other = try await shop.authorized(1000, order: "2")
        let names = ["auth-1", token, "auth-2", other, "auth-3", "4111110PASeK1111", "1"]
        var found: [String] = []
        for name in names {
            let orders = try await shop.test.store.read { reader in
                var query = PaymentQuery()
                query.operationName = .dialects([Radial.accounts], calling: name)
                return try reader.payments(query).compactMap { $0.opening?.labels.reference }
            }
            found.append(orders.joined(separator: " "))
        }
        #expect(found == ["1", "1", "2", "2", "", "", ""])
        let payments = try await shop.test.store.read { try $0.payments(PaymentQuery(order: .oldestFirst)) }
        #expect(payments.map { $0.opening?.labels.fields["requestId"] } == ["auth-1", "auth-2"])
    }
}
