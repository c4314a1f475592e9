//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Testing

@Suite("Amounts as texts")
struct AmountTextTests {
    private static let max: Int64 = 99_999_999_999_999

    // MARK: - Major unit

    @Test(arguments: [
        // Exponent 2.
        ("CAD", "10.99", 1099), ("CAD", "10.9", 1090), ("CAD", "10", 1000), ("CAD", "0", 0), ("CAD", "0.00", 0),
        ("CAD", "0.01", 1), ("CAD", "0.1", 10), ("CAD", "00010.99", 1099), ("CAD", "999999999999.99", Self.max),
        // Exponent 0.
        ("JPY", "1099", 1099), ("JPY", "0", 0), ("JPY", "99999999999999", Self.max),
        // Exponent 3.
        ("KWD", "1.234", 1234), ("KWD", "1.2", 1200), ("KWD", "1", 1000), ("KWD", "0.001", 1),
        ("KWD", "99999999999.999", Self.max),
        // Exponent 4.
        ("CLF", "1.2345", 12345), ("CLF", "0.0001", 1), ("CLF", "12", 120_000), ("UYW", "1.5", 15000),
    ])
    func readsMajorUnit(_ code: String, _ text: String, _ minorUnits: Int64) throws {
        let currency = try #require(Currency.alphabetic(code))
        #expect(try Money(decimalText: text, currency: currency) == Money(minorUnits: minorUnits, currency: currency))
    }

    @Test(arguments: [
        ("CAD", "", AmountTextError.malformed), ("CAD", " ", .malformed), ("CAD", ".", .malformed),
        ("CAD", ".99", .malformed), ("CAD", "10.", .malformed), ("CAD", "10..9", .malformed),
        ("CAD", "1.0.9", .malformed), ("CAD", "-1", .malformed), ("CAD", "-1.00", .malformed),
        ("CAD", "+1", .malformed),
        ("CAD", "1.-1", .malformed), ("CAD", "1,99", .malformed), ("CAD", "1,000.00", .malformed),
        ("CAD", "1_000", .malformed), ("CAD", " 1", .malformed), ("CAD", "1 ", .malformed), ("CAD", "1\n", .malformed),
        ("CAD", "1e2", .malformed), ("CAD", "0x10", .malformed), ("CAD", "NaN", .malformed), ("CAD", "١٢", .malformed),
        ("CAD", "１０", .malformed), ("CAD", "1.\u{301}9", .malformed), ("CAD", "1\u{0}", .malformed),
        ("CAD", "CAD 1", .malformed), ("CAD", "1.999", .tooManyDecimals), ("CAD", "1.990", .tooManyDecimals),
        ("JPY", "1.0", .tooManyDecimals), ("JPY", "1.", .malformed), ("KWD", "1.2345", .tooManyDecimals),
        ("CLF", "1.23456", .tooManyDecimals), ("CAD", "92233720368547758.08", .tooLarge),
        ("CAD", "92233720368547759", .tooLarge), ("CAD", "1000000000000.00", .tooLarge),
        ("JPY", "9223372036854775808", .tooLarge),
        ("KWD", "9223372036854775.808", .tooLarge), ("CLF", "922337203685477.5808", .tooLarge),
        ("CAD", String(repeating: "9", count: 500), .tooLarge),
        // The shape is judged before the size.
        ("CAD", String(repeating: "9", count: 500) + ".999", .tooManyDecimals),
    ])
    func refusesMajorUnit(_ code: String, _ text: String, _ error: AmountTextError) throws {
        let currency = try #require(Currency.alphabetic(code))
        #expect(throws: error) { try Money(decimalText: text, currency: currency) }
    }

    @Test(arguments: [
        ("CAD", 1099, "10.99"), ("CAD", 1090, "10.90"), ("CAD", 1000, "10.00"), ("CAD", 0, "0.00"), ("CAD", 1, "0.01"),
        ("CAD", 10, "0.10"), ("CAD", -1, "-0.01"), ("CAD", -1099, "-10.99"), ("CAD", Int64.max, "92233720368547758.07"),
        ("CAD", Int64.min, "-92233720368547758.08"), ("JPY", 1099, "1099"), ("JPY", 0, "0"), ("JPY", -5, "-5"),
        ("KWD", 1234, "1.234"), ("KWD", 1, "0.001"), ("KWD", -1234, "-1.234"), ("CLF", 12345, "1.2345"),
        ("CLF", 1, "0.0001"),
    ])
    func writesMajorUnit(_ code: String, _ minorUnits: Int64, _ text: String) throws {
        let money = Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic(code)))
        #expect(money.decimalText == text)
        #expect(money.description == "\(text) \(code)")
    }

    @Test(arguments: ["JPY", "CAD", "KWD", "CLF"])
    func readsWhatItWrites(_ code: String) throws {
        let currency = try #require(Currency.alphabetic(code))
        for minorUnits in [0, 1, 9, 10, 99, 100, 999, 1000, 9999, 10_000, 123_456_789, Self.max - 1, Self.max] {
            let money = Money(minorUnits: minorUnits, currency: currency)
            #expect(try Money(decimalText: money.decimalText, currency: currency) == money)
            #expect(try Money(minorUnitText: String(minorUnits), currency: currency) == money)
        }
    }

    @Test func sumsMayBeLargerThanAmounts() throws {
        let currency = try #require(Currency.alphabetic("CAD"))
        #expect(try Money(sumText: "92233720368547758.07", currency: currency).minorUnits == .max)
        #expect(throws: AmountTextError.tooLarge) { try Money(sumText: "92233720368547758.08", currency: currency) }
        #expect(throws: AmountTextError.malformed) { try Money(sumText: "1,00", currency: currency) }
    }

    // MARK: - Minor unit

    @Test(
        arguments: [
            ("1099", 1099), ("0", 0), ("1", 1), ("00042", 42), ("99999999999999", Self.max),
            (String(repeating: "0", count: 40) + "7", 7),
        ] as [(String, Int64)])
    func readsMinorUnit(_ text: String, _ minorUnits: Int64) throws {
        for code in ["JPY", "CAD", "KWD", "CLF"] {
            let currency = try #require(Currency.alphabetic(code))
            #expect(try Money(minorUnitText: text, currency: currency).minorUnits == minorUnits)
        }
    }

    @Test(arguments: [
        ("", AmountTextError.malformed), ("-1", .malformed), ("+1", .malformed), ("-0", .malformed),
        ("1.0", .malformed),
        (".", .malformed), ("1 000", .malformed), (" 1", .malformed), ("1e3", .malformed), ("٣", .malformed),
        ("0x1", .malformed), ("9223372036854775808", .tooLarge), ("100000000000000", .tooLarge),
        (String(repeating: "1", count: 100), .tooLarge),
        ("-9223372036854775809", .malformed),
    ])
    func refusesMinorUnit(_ text: String, _ error: AmountTextError) throws {
        let currency = try #require(Currency.alphabetic("CAD"))
        #expect(throws: error) { try Money(minorUnitText: text, currency: currency) }
    }
}
