//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Testing

@testable import MPGS

/// The gateway's amounts: texts of at most fourteen characters with at most three decimals.
@Suite struct AmountTests {
    /// Every difference to ISO 4217: the currencies of four decimals, which cannot be written. The others count there as
    /// they do here.
    private static let notTaken: Set = ["CLF", "UYW"]

    @Test func takesEveryCurrencyThatItCanWrite() {
        #expect(Set(Currency.all.filter { AmountText.terms[$0] == nil }.map(\.code)) == Self.notTaken)
        for (currency, terms) in AmountText.terms {
            #expect(terms.exponent == currency.exponent, "\(currency.code)")
            #expect(Money(minorUnits: terms.minorUnits.lowerBound, currency: currency).isTakenByMPGS)
            let most = Money(minorUnits: terms.minorUnits.upperBound, currency: currency)
            #expect(most.isTakenByMPGS && most.decimalText.utf8.count == AmountText.charactersMax, "\(currency.code)")
            let more = Money(minorUnits: terms.minorUnits.upperBound + 1, currency: currency)
            #expect(!more.isTakenByMPGS, "\(currency.code)")
        }
        for currency in Currency.all where Self.notTaken.contains(currency.code) {
            #expect(!Money(minorUnits: 1, currency: currency).isTakenByMPGS, "\(currency.code)")
        }
    }

    @Test(
        arguments: [("USD", 3010, "30.10"), ("JPY", 3010, "3010"), ("KWD", 3010, "3.010")] as [(String, Int64, String)])
    func writesAsManyDecimalsAsTheCurrencyHas(_ code: String, _ minorUnits: Int64, _ text: String) throws {
        let currency = try #require(Currency.alphabetic(code))
        #expect(Money(minorUnits: minorUnits, currency: currency).decimalText == text)
    }
}
