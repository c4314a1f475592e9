//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import Testing

/// A shop with two contracts in one API is two merchants with one Apple key.
struct SharedAppleKeyTests {
    @Test func twoMerchantsMayHoldOneAppleKey() async throws {
        let shop = try await Shop.open()
        let second = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        _ = try await shop.gateway.administration.importCredential(
            merchant: second.merchant.id, certificate: shop.identity.certificateDER,
            privateKeyPEM: shop.identity.privateKeyPEM, activates: true)
        let first = try await shop.authorize(money(10_00))
        #expect(first.payment.state == .authorized)
        let other = try await shop.gateway.authorize(try shop.authorization(of: money(20_00), as: second))
        #expect(other.payment.state == .authorized)
        #expect(first.payment.merchantID != other.payment.merchantID)
    }

    /// Whoever has it twice has it once.
    @Test func tokenIsUsedOnceOverBoth() async throws {
        let shop = try await Shop.open()
        let second = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        _ = try await shop.gateway.administration.importCredential(
            merchant: second.merchant.id, certificate: shop.identity.certificateDER,
            privateKeyPEM: shop.identity.privateKeyPEM, activates: true)
        let token = try shop.token(money(10_00))
        _ = try await shop.gateway.authorize(try shop.authorization(of: money(10_00), token: token))
        await #expect(throws: GatewayRefusal.self) {
            try await shop.gateway.authorize(try shop.authorization(of: money(10_00), token: token, as: second))
        }
    }
}
