//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Gateway
import PAYONE
import Payments
import Redaction
import TestGateway
import Testing

@Suite struct AccountPlanTests {
    /// The digest of a key of the account, as the shop sends it.
    private func digest(_ name: String, of shop: TestShop) async throws -> String {
        let context = try await shop.test.gateway.account(
            dialect: PAYONE.dialectName, key: ShopForm.Account.portalID)
        return try #require(context?.digest(.md5, of: name)).reveal()
    }

    @Test func keyBeforeIsTakenUntilItIsRevoked() async throws {
        let shop = try await TestShop.open()
        let draft = PAYONE.accountDraft(
            mid: ShopForm.Account.mid, aids: ["20002"], key: Redacted(ShopForm.Account.key),
            notificationURL: TestShop.notificationURL)
        var account = AccountDraft(
            key: ShopForm.Account.portalID, settings: draft.settings, secrets: draft.secrets)
        try await shop.test.replace("key", by: "the-next-key", in: &account, of: shop.merchant, PAYONE.accounts)
        let next = try await self.digest("key", of: shop)
        #expect(next != ShopForm.Account.keyMD5)
        let keys = [next, ShopForm.Account.keyMD5, ShopForm.Account.keySHA384]
        for (index, key) in keys.enumerated() {
            let form = try shop.preauthorization(reference: "r\(index)").with("key", key)
            #expect(try await shop.send(form).status == "APPROVED", "\(key)")
        }
        // What the shop is sent carries the present one.
        let sent = try await shop.sent()
        #expect(sent.count == 3 && sent.allSatisfy { $0["key"] == next })
        let wrong = try shop.preauthorization(reference: "r3").with("key", String(repeating: "0", count: 32))
        #expect(try await shop.send(wrong).errorCode == 2006)
        try await shop.test.revokeReplaced("key", in: &account, of: shop.merchant, PAYONE.accounts)
        let form = try shop.preauthorization(reference: "r4")
        for key in keys.dropFirst() { #expect(try await shop.send(form.with("key", key)).errorCode == 2006) }
        #expect(try await shop.send(form.with("key", next)).status == "APPROVED")
    }

    @Test func itsNotificationsAreKnownAndItsAcknowledgementIsOne() async throws {
        let shop = try await TestShop.open()
        let mark = PAYONE.accounts.notifications
        #expect(shop.payone.isAcknowledged(status: 200, body: Array(mark.acknowledgement.utf8)))
        _ = try await shop.paid()
        let sent = try await shop.test.deliverAll(through: shop.payone) { _ in (200, "TSOK") }.map(\.notification)
        #expect(!sent.isEmpty)
        for notification in sent {
            #expect(mark.isShown { name in notification.headers.first { $0.name == name }?.value })
        }
    }
}
