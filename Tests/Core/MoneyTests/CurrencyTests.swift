//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Testing

@Suite("The currencies of ISO 4217")
struct CurrencyTests {
    @Test func tableHasEveryCurrencyOnce() {
        #expect(Currency.all.count == 164)
        #expect(Set(Currency.all.map(\.code)).count == Currency.all.count)
        #expect(Set(Currency.all.map(\.numericCode)).count == Currency.all.count)
    }

    @Test(arguments: Currency.all)
    func rowIsWellFormed(_ currency: Currency) {
        #expect(currency.code.utf8.count == 3)
        #expect(currency.code.utf8.allSatisfy { (0x41...0x5A).contains($0) })
        #expect((1...999).contains(currency.numericCode))
        #expect([0, 2, 3, 4].contains(currency.exponent))
        #expect(currency.numericText.utf8.count == 3)
        #expect(Int(currency.numericText) == currency.numericCode)
        #expect(currency.description == currency.code)
        #expect(Currency.alphabetic(currency.code) == currency)
        #expect(Currency.numeric(currency.numericText) == currency)
        #expect(Currency.numeric(String(currency.numericCode)) == currency)
    }

    @Test func tableIsInAlphabeticOrder() {
        #expect(Currency.all.map(\.code) == Currency.all.map(\.code).sorted())
    }

    /// All that do not have two decimals.
    @Test(arguments: [
        (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
        (3, "BHD IQD JOD KWD LYD OMR TND"), (4, "CLF UYW"),
    ])
    func exponentIsRare(_ exponent: Int, _ codes: String) {
        #expect(Currency.all.filter { $0.exponent == exponent }.map(\.code).joined(separator: " ") == codes)
    }

    @Test(arguments: [
        ("AUD", 36, 2), ("BRL", 986, 2), ("CAD", 124, 2), ("CHF", 756, 2), ("CNY", 156, 2), ("CZK", 203, 2),
        ("DKK", 208, 2), ("EUR", 978, 2), ("GBP", 826, 2), ("HKD", 344, 2), ("HUF", 348, 2), ("IDR", 360, 2),
        ("ILS", 376, 2), ("INR", 356, 2), ("ISK", 352, 0), ("JOD", 400, 3), ("JPY", 392, 0), ("KRW", 410, 0),
        ("KWD", 414, 3), ("MOP", 446, 2), ("MXN", 484, 2), ("MYR", 458, 2), ("NOK", 578, 2), ("NZD", 554, 2),
        ("PHP", 608, 2), ("PLN", 985, 2), ("RON", 946, 2), ("SAR", 682, 2), ("SEK", 752, 2), ("SGD", 702, 2),
        ("THB", 764, 2), ("TND", 788, 3), ("TRY", 949, 2), ("TWD", 901, 2), ("USD", 840, 2), ("VND", 704, 0),
        ("XAF", 950, 0), ("XOF", 952, 0), ("ZAR", 710, 2),
        // The latest amendments.
        ("SLE", 925, 2), ("VED", 926, 2), ("VES", 928, 2), ("XCG", 532, 2), ("ZWG", 924, 2), ("UYW", 927, 4),
        ("STN", 930, 2), ("MRU", 929, 2), ("BYN", 933, 2),
    ])
    func knows(_ code: String, _ numericCode: Int, _ exponent: Int) throws {
        let currency = try #require(Currency.alphabetic(code))
        #expect(currency.numericCode == numericCode)
        #expect(currency.exponent == exponent)
    }

    /// Withdrawn, or without a minor unit.
    @Test(arguments: [
        "BGN", "ANG", "HRK", "SLL", "ZWL", "CUC", "VEF", "BYR", "DEM", "FRF", "LTL", "EEK", "STD", "MRO", "XAU", "XAG",
        "XPT", "XPD", "XDR", "XBA", "XSU", "XUA", "XTS", "XXX",
    ])
    func hasNo(_ code: String) {
        #expect(Currency.alphabetic(code) == nil)
    }

    @Test(arguments: ["", "cad", "Cad", "CA", "CADD", " CAD", "CAD ", "124", "ＣＡＤ"])
    func refusesAlphabeticCode(_ text: String) {
        #expect(Currency.alphabetic(text) == nil)
    }

    @Test(arguments: [("36", "AUD"), ("036", "AUD"), ("8", "ALL"), ("08", "ALL"), ("008", "ALL"), ("124", "CAD")])
    func readsNumericCode(_ text: String, _ code: String) {
        #expect(Currency.numeric(text)?.code == code)
    }

    @Test(arguments: [
        "", "0", "000", "999", "1", "0036", "1240", "-36", "+36", " 36", "36 ", "3.6", "CAD", "٣٦", "100",
    ])
    func refusesNumericCode(_ text: String) {
        #expect(Currency.numeric(text) == nil)
    }

    @Test func numericTextHasThreeDigits() {
        #expect(Currency.alphabetic("ALL")?.numericText == "008")
        #expect(Currency.alphabetic("AUD")?.numericText == "036")
        #expect(Currency.alphabetic("CAD")?.numericText == "124")
    }
}
