//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectKit
import Money
import Redaction
import Storefront

/// What a sandbox merchant's card is to the merchant's own shop: a client of the dialect, with the credentials on the
/// card.
extension MerchantCard {
    /// `nil` for a dialect that this program does not have.
    func shopAccount(_ surroundings: Surroundings) throws -> ShopAccount? {
        guard let module = DialectModule.named(self.name), let currency = Currency.alphabetic(self.currency) else {
            return nil
        }
        let client = try module.shopClient(self, surroundings)
        return ShopAccount(
            client: client, title: module.plan.title, currency: currency, countryCode: self.countryCode,
            merchantIdentifier: self.merchantIdentifier)
    }

    func alphaPayClient(_ surroundings: Surroundings) throws -> AlphaPayClient {
        try AlphaPayClient(
            AlphaPayClient.Credentials(
                merchantCode: try self.value("merchantCode"), keyVersion: try self.value("keyVersion"),
                privateKeyPEM: Redacted(try FileSystem.readPrivateText(try self.path("privateKey"))),
                gatewayPublicKeyPEM: try FileSystem.readText(try self.path("gatewayPublicKey"))),
            clock: surroundings.clock, random: surroundings.random)
    }

    func commWebClient() throws -> CommWebClient {
        CommWebClient(
            CommWebClient.Credentials(
                merchantID: try self.value("merchantId"), password: Redacted(try self.value("password")),
                notificationSecret: Redacted(try self.value("notificationSecret"))))
    }

    func payoneClient() throws -> PAYONEClient {
        PAYONEClient(
            PAYONEClient.Credentials(
                mid: try self.value("mid"), aid: try self.value("aid"), portalID: try self.value("portalid"),
                key: Redacted(try self.value("key"))))
    }

    func radialClient() throws -> RadialClient {
        RadialClient(
            RadialClient.Credentials(storeID: try self.value("storeId"), apiKey: Redacted(try self.value("apikey"))))
    }

    func tapPayClient() throws -> TapPayClient {
        TapPayClient(
            TapPayClient.Credentials(
                appID: Int(try self.value("appId")) ?? 0, appKey: Redacted(try self.value("appKey")),
                partnerKey: Redacted(try self.value("partnerKey")), merchantID: try self.value("merchantId"),
                merchantIdentifier: self.merchantIdentifier))
    }
}
