//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Gateway
import Money
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import Testing
import WalletSimulator

/// Opening a token for a merchant who pays with it elsewhere, or later here.
struct OpenTokenTests {
    @Test func showsWhatIsInTheToken() async throws {
        let shop = try await Shop.open()
        let before = try await shop.payments().count
        let opened = try await shop.gateway.openToken(
            .applePay(try shop.token(money(10_00), card: .mastercard)), merchant: shop.merchant)
        #expect(opened.networkToken.pan.reveal() == SimulatedCard.mastercard.dpan)
        #expect(opened.networkToken.expiryYearMonth == String(SimulatedCard.mastercard.expirationDate.prefix(4)))
        #expect(opened.networkToken.eci == SimulatedCard.mastercard.eci)
        guard case .cryptogram(let cryptogram) = opened.networkToken.proof else {
            Issue.record("no cryptogram")
            return
        }
        #expect(cryptogram.reveal().count == SimulatedCard.mastercard.cryptogramByteCount)
        #expect(opened.amount == money(10_00))
        #expect(opened.summary.network == .mastercard)
        #expect(opened.summary.displayName == SimulatedCard.mastercard.displayName)
        #expect(opened.paymentDataType == "3DSecure")
        #expect(opened.deviceManufacturerIdentifier == "040010030273")
        #expect(opened.cardholderName == nil)
        #expect(try await shop.payments().count == before)
        #expect(shop.script.count(of: .authorize) == 0)
    }

    @Test func showsTheCardholderWhereTheTokenDoes() async throws {
        let shop = try await Shop.open()
        let request = PaymentRequest(
            merchantIdentifier: shop.identity.merchantIdentifier, amountMinorUnits: 10_00, currencyCode: "124",
            cardholderName: "Anna Testa")
        let minted = try SimulatedDevice(authority: shop.authority).mint(
            request, card: .visa, recipient: shop.identity.recipient,
            signingTime: TestAuthorities.date(shop.clock.now))
        let opened = try await shop.gateway.openToken(
            .applePay(json: minted.paymentToken), merchant: shop.merchant)
        #expect(opened.cardholderName?.reveal() == "Anna Testa")
    }

    /// It may be opened again, and pays once.
    @Test func openingSpendsNothing() async throws {
        let shop = try await Shop.open()
        let token = try shop.token(money(10_00))
        for _ in 0..<2 { _ = try await shop.gateway.openToken(.applePay(token), merchant: shop.merchant) }
        let outcome = try await shop.gateway.authorize(shop.authorization(of: money(10_00), token: token))
        #expect(outcome.operation.state == .succeeded)
        _ = try await shop.gateway.openToken(.applePay(token), merchant: shop.merchant)
    }

    @Test func refusesWhatAuthorizingRefuses() async throws {
        let shop = try await Shop.open()
        let open = { (token: UnverifiedToken) in
            _ = try await shop.gateway.openToken(.applePay(token), merchant: shop.merchant)
        }
        await expectTokenRefusal(.intermediateSignatureInvalid) {
            try await open(shop.token(money(10_00), by: TestAuthorities.foreign.get()))
        }
        await expectRefusal(.modeCrossed(merchant: .sandbox, token: .live)) {
            try await open(shop.token(money(10_00), by: TestAuthorities.live.get()))
        }
        await expectTokenRefusal(.keyUnknown) {
            try await open(shop.token(money(10_00), to: ProcessingIdentity.second.get()))
        }
        let old = try shop.token(money(10_00))
        shop.clock.advance(seconds: 3601)
        await expectTokenRefusal(.signingTimeTooOld) { try await open(old) }
    }

    @Test func refusesTokenWhoseCurrencyIsNone() async throws {
        let shop = try await Shop.open()
        let request = PaymentRequest(
            merchantIdentifier: shop.identity.merchantIdentifier, amountMinorUnits: 10_00, currencyCode: "000")
        let minted = try SimulatedDevice(authority: shop.authority).mint(
            request, card: .visa, recipient: shop.identity.recipient,
            signingTime: TestAuthorities.date(shop.clock.now))
        await expectRefusal(.tokenAmountUnreadable) {
            _ = try await shop.gateway.openToken(.applePay(json: minted.paymentToken), merchant: shop.merchant)
        }
    }

    @Test func refusesMerchantWithoutACertificateAndWhatIsOpenAlready() async throws {
        let shop = try await Shop.open { $0.hasCertificate = false }
        await expectRefusal(.merchantNotReady) {
            _ = try await shop.gateway.openToken(
                .applePay(shop.token(money(10_00))), merchant: shop.merchant)
        }
        await expectRefusal(.operationNotSupported) {
            _ = try await shop.gateway.openToken(.opened(Shop.deviceToken()), merchant: shop.merchant)
        }
    }
}
