//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import StrictJSON
import Testing

@testable import ConnectorKit

@Suite struct AmountNumberTests {
    @Test(
        arguments: [
            ("30.1", "USD", 3010), ("30.10", "USD", 3010), ("30.100000", "USD", 3010), ("30", "USD", 3000),
            ("0", "USD", 0), ("0.00", "USD", 0), ("0.01", "USD", 1), ("1E+2", "USD", 10_000), ("3.01E1", "USD", 3010),
            ("5e-1", "USD", 50), ("100", "JPY", 100), ("100.0", "JPY", 100), ("1.234", "KWD", 1234),
            ("0.000", "JPY", 0),
            ("92233720368547758.07", "USD", 9_223_372_036_854_775_807), ("0E-5", "JPY", 0),
        ] as [(String, String, Int64)])
    func readsDigitsAsTheyStand(_ text: String, _ code: String, _ minorUnits: Int64) throws {
        let currency = try #require(Currency.alphabetic(code))
        let amount = Money(minorUnits: minorUnits, currency: currency)
        #expect(Money(.number(text), currency: currency) == amount)
        #expect(Money(.string(text), currency: currency) == amount)
    }

    @Test(arguments: [
        "30.101", "-1", "+1", "1.", ".5", "", "e5", "1e", "1e5e5", "1e99", "1e-9", "0x10", "1,5", " 1", "NaN", "1.2.3",
        "92233720368547758.08", "1e31", "1eE5", "1e+", "1e 1", "١",
    ])
    func takesNothingElse(_ text: String) throws {
        let currency = try #require(Currency.alphabetic("USD"))
        #expect(Money(.string(text), currency: currency) == nil)
    }

    @Test func takesNoOtherKindOfValue() throws {
        let currency = try #require(Currency.alphabetic("USD"))
        for json in [nil, JSON.null, .bool(true), .array([]), .object(JSONObject())] as [JSON?] {
            #expect(Money(json, currency: currency) == nil)
        }
    }

    @Test func readsWhatItsOwnTextSays() {
        for currency in Currency.all {
            for minorUnits in [0, 1, 10, 99, 100, 12_345, 1_000_000] as [Int64] {
                let amount = Money(minorUnits: minorUnits, currency: currency)
                #expect(Money(.string(amount.decimalText), currency: currency) == amount)
            }
        }
    }
}
