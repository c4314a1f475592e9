//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import StrictJSON
import TestGateway
import Testing
import Time

@testable import TapPay

/// What answers say of a card whose token the acquirer opened.
@Suite struct UnopenedCardTests {
    private static func payment(_ instrument: InstrumentSummary, _ number: UInt8) throws -> Payment {
        let now = Timestamp(seconds: 1_763_900_000)
        func id<Tag>() -> Identifier<Tag> { Identifier(at: now, random: [number]) }
        return try Payment.opening(
            id: id(), merchantID: Identifier(at: now, random: [0]), mode: .sandbox, dialect: TapPay.dialectName,
            acquirer: AcquirerName("tappay"), accountID: id(), orderID: nil,
            amount: Money(minorUnits: 10_00, currency: try #require(Currency.alphabetic("TWD"))),
            instrument: instrument, authorizationID: id(), at: now)
    }

    private static let opened = InstrumentSummary(
        maskedPAN: MaskedPAN(prefix: "489537", suffix: "5671", length: 16), network: .visa, expiryYearMonth: "3112",
        eci: nil, displayName: nil)

    /// Else all cards of a network would be one customer's.
    @Test func cardThatIsNotKnownHasNoIdentifier() throws {
        let known = try (1...2).map { TapPay.cardIdentifier(of: try Self.payment(Self.opened, $0)) }
        #expect(known[0] == known[1] && known[0].utf8.count == 32)
        let unopened = InstrumentSummary(unopened: .visa, displayName: "Visa 1234")
        #expect(TapPay.cardIdentifier(of: try Self.payment(unopened, 3)).isEmpty)
    }

    @Test func expiryThatIsNotKnownIsEmpty() async throws {
        let tapPay = try await FrontEndShop.open().tapPay
        let known = tapPay.backEndCardInfo(try Self.payment(Self.opened, 1), withExpiry: true)
        #expect(known["expiry_date"] == "203112" && known["last_four"] == "5671")
        let unopened = InstrumentSummary(unopened: .visa, displayName: nil)
        let unknown = tapPay.backEndCardInfo(try Self.payment(unopened, 1), withExpiry: true)
        #expect(unknown["expiry_date"] == "" && unknown["last_four"] == "" && unknown["bin_code"] == "")
    }
}
