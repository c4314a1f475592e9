//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import Gateway
import Redaction
import StrictJSON
import Testing
import WalletSimulator

@testable import TapPay

@Suite struct AccountPlanTests {
    private static let account = TapPay.accountDraft(
        appID: 12345, appKey: Redacted(FrontEndShop.appKey), partnerKey: Redacted(FrontEndShop.partnerKey),
        merchantIDs: ["SHOP"])

    private func status(ofPartnerKey key: String, at shop: FrontEndShop) async throws -> Int64 {
        try await shop.call(
            ["partner_key": .string(key)], path: "/tpc/transaction/query", headers: [.apiKey: key]
        ).status
    }

    @Test func partnerKeyBeforeIsTakenUntilItIsRevoked() async throws {
        let shop = try await FrontEndShop.open()
        var account = Self.account
        try await shop.test.write(account, of: shop.merchant)
        // 81: there is no such partner. 2: it is one, and has no trades.
        #expect(try await self.status(ofPartnerKey: "partner_next", at: shop) == 81)
        try await shop.test.replace(
            "partnerKey", by: "partner_next", in: &account, of: shop.merchant, TapPay.accounts)
        for key in ["partner_next", FrontEndShop.partnerKey] {
            #expect(try await self.status(ofPartnerKey: key, at: shop) == 2, "\(key)")
        }
        // What is sent is signed with the present one.
        #expect(AccountSettings(try await shop.context()).notificationSecretName == "partnerKey")
        try await shop.test.revokeReplaced("partnerKey", in: &account, of: shop.merchant, TapPay.accounts)
        #expect(try await self.status(ofPartnerKey: "partner_next", at: shop) == 2)
        #expect(try await self.status(ofPartnerKey: FrontEndShop.partnerKey, at: shop) == 81)
    }

    @Test func appKeyBeforeIsTakenUntilItIsRevoked() async throws {
        let shop = try await FrontEndShop.open()
        var account = Self.account
        func status(_ key: String) async throws -> Int64 {
            try await shop.call(
                shop.body(try shop.token().paymentData, changing: ["app_key": .string(key)]),
                headers: [.apiKey: key]
            ).status
        }
        try await shop.test.write(account, of: shop.merchant)
        #expect(try await status("app_next_key") != 0)
        try await shop.test.replace("appKey", by: "app_next_key", in: &account, of: shop.merchant, TapPay.accounts)
        #expect(try await status("app_next_key") == 0)
        #expect(try await status(FrontEndShop.appKey) == 0)
        try await shop.test.revokeReplaced("appKey", in: &account, of: shop.merchant, TapPay.accounts)
        #expect(try await status("app_next_key") == 0)
        #expect(try await status(FrontEndShop.appKey) != 0)
    }

    @Test func itsNotificationsAreKnownAndItsAcknowledgementIsOne() async throws {
        let shop = try await BackEndShop.open()
        let mark = TapPay.accounts.notifications
        #expect(shop.tapPay.isAcknowledged(status: 200, body: Array(mark.acknowledgement.utf8)))
        #expect(mark.isShown { $0 == NotificationSignature.header ? "t=1,v1=00" : nil })
    }
}
