//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing

@testable import CommWeb

/// The card of a payment, as answers show it.
@Suite struct CardWriterTests {
    private static let device = "sourceOfFunds.provided.card."

    /// - Parameter isOpened: whether the token was opened here.
    private static func card(isOpened: Bool) async throws -> AnswerFields {
        let shop = try await CommWebShop.open()
        let merchant = try #require(
            try await shop.test.gateway.account(dialect: CommWeb.dialectName, key: CommWebShop.merchantID))
        func id<Tag>() -> Identifier<Tag> { Identifier(at: shop.test.clock.now, random: [1]) }
        let payment = try Payment.opening(
            id: id(), merchantID: merchant.merchant.id, mode: .sandbox,
            dialect: CommWeb.dialectName, acquirer: AcquirerName("mpgs"), accountID: id(),
            orderID: nil, amount: Money(minorUnits: 10_00, currency: try #require(Currency.alphabetic("USD"))),
            instrument: isOpened
                ? InstrumentSummary(
                    maskedPAN: MaskedPAN(prefix: "520424", suffix: "5679", length: 16), network: .mastercard,
                    expiryYearMonth: "3109", eci: nil, displayName: nil)
                : InstrumentSummary(unopened: .mastercard, displayName: "MasterCard 2345"),
            authorizationID: id(), at: shop.test.clock.now)
        return TransactionWriter(merchant: merchant, version: APIVersion(number: 71))
            .sourceOfFunds(payment, number: nil)
    }

    @Test func deviceAccountIsMaskedInItsMiddle() async throws {
        let card = try await Self.card(isOpened: true)
        #expect(card[Self.device + "deviceSpecificNumber"] == "520424xxxxxx5679")
        #expect(card[Self.device + "devicePayment.cryptogramFormat"] == "3DSECURE")
        #expect(card[Self.device + "deviceSpecificExpiry.month"] == "9")
    }

    /// Of a token that the acquirer opened nothing but its network is known.
    @Test func nothingIsMadeUpOfATokenThatWasNotOpenedHere() async throws {
        let card = try await Self.card(isOpened: false)
        for name in [
            "deviceSpecificNumber", "devicePayment.cryptogramFormat", "deviceSpecificExpiry.month",
            "deviceSpecificExpiry.year",
        ] { #expect(card[Self.device + name] == nil, "\(name)") }
        #expect(card[Self.device + "brand"] == "MASTERCARD" && card[Self.device + "encryption"] == "DEVICE")
    }
}
