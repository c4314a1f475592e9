//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CommWeb
import DialectConformance
import DialectKit
import Payments
import Redaction
import TestGateway
import Testing

@Suite struct AccountPlanTests {
    private func outcome(_ password: String, at shop: CommWebShop) async throws -> Int {
        var shop = shop
        shop.authorization = CommWebShop.basic("merchant." + CommWebShop.merchantID, password)
        return try await shop.get("order/none").status
    }

    @Test func passwordBeforeIsTakenUntilItIsRevoked() async throws {
        let shop = try await CommWebShop.open()
        let draft = CommWeb.accountDraft(
            password: Redacted(CommWebShop.password), notificationSecret: Redacted(CommWebShop.notificationSecret))
        var account = AccountDraft(
            key: CommWebShop.merchantID, settings: draft.settings, secrets: draft.secrets)
        try await shop.test.write(account, of: shop.merchant)
        #expect(try await self.outcome("the-next-password", at: shop) == 401)
        try await shop.test.replace(
            "password", by: "the-next-password", in: &account, of: shop.merchant, CommWeb.accounts)
        for password in ["the-next-password", CommWebShop.password] {
            #expect(try await self.outcome(password, at: shop) == 400, "\(password)")
        }
        try await shop.test.revokeReplaced("password", in: &account, of: shop.merchant, CommWeb.accounts)
        #expect(try await self.outcome("the-next-password", at: shop) == 400)
        #expect(try await self.outcome(CommWebShop.password, at: shop) == 401)
    }

    @Test func merchantsOfTheSandboxAreCalledAsTheVendorCallsThem() async throws {
        let sandbox = try await CommWeb.accounts.makeCredentials(AccountOrder(mode: .sandbox), .test)
        let live = try await CommWeb.accounts.makeCredentials(AccountOrder(mode: .live), .test)
        #expect(sandbox.value("merchantId").hasPrefix("TEST") && !live.value("merchantId").hasPrefix("TEST"))
        // Only the sandbox's authority makes certificates.
        #expect(sandbox.files.isEmpty && live.files.isEmpty)
    }

    @Test func itsNotificationsAreKnownAndItsAcknowledgementIsOne() async throws {
        let shop = try await CommWebShop.open()
        let mark = CommWeb.accounts.notifications
        #expect(shop.commWeb.isAcknowledged(status: 200, body: Array(mark.acknowledgement.utf8)))
        #expect(try await shop.pay("PAY", "o1").summary == "SUCCESS APPROVED")
        let sent = try await shop.test.deliverAll(through: shop.commWeb) { _ in (200, "") }.map(\.notification)
        #expect(!sent.isEmpty)
        for notification in sent {
            #expect(mark.isShown { name in notification.headers.first { $0.name == name }?.value })
        }
    }

    @Test func aTransactionIsFoundWithItsOrder() async throws {
        let shop = try await CommWebShop.open()
        for order in ["o1", "a%2Fb"] { #expect(try await shop.pay("AUTHORIZE", order, "1")["result"] == "SUCCESS") }
        #expect(CommWeb.accounts.references("1").isEmpty)
        for (name, order) in [("o1/1", "o1"), ("a/b/1", "a/b"), ("a%2Fb/1", nil), ("o1/2", nil), ("/1", nil)] {
            let found = try await shop.test.store.read { reader in
                var query = PaymentQuery()
                query.operationName = .dialects([CommWeb.accounts], calling: name)
                return try reader.payments(query).compactMap { try $0.orderID.flatMap { try reader.order($0) } }
            }
            #expect(found.map(\.reference) == [order].compactMap(\.self), "\(name)")
        }
    }
}
