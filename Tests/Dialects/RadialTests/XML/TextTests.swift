//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Testing

@testable import Radial

@Suite struct TextTests {
    @Test(
        arguments: [
            ("14.99", "USD", 1499), ("15", "USD", 1500), ("0", "USD", 0), ("0.1", "USD", 10), ("100.00", "JPY", 100),
            ("100", "JPY", 100),
            ("1.234", "KWD", 1234), ("1.2", "KWD", 1200), ("1.2340", "KWD", 1234),
            ("9999999999.99", "USD", 999_999_999_999),
        ] as [(String, String, Int64)])
    func readsAmounts(text: String, currency: String, minorUnits: Int64) {
        var element = XMLElement(name: "Amount", namespace: nil, attributes: ["currencyCode": currency])
        element.text = text
        #expect(WireAmount.money(element)?.minorUnits == minorUnits)
    }

    @Test(arguments: [
        ("100.50", "JPY"), ("1.235", "USD"), ("100.", "JPY"), ("1.2345", "KWD"), ("999999999999999999999", "USD"),
        ("1", "ZZZ"),
        ("٣.00", "USD"), ("1 0", "USD"), ("0x10", "USD"),
    ])
    func refusesAmounts(text: String, currency: String) {
        var element = XMLElement(name: "Amount", namespace: nil, attributes: ["currencyCode": currency])
        element.text = text
        #expect(WireAmount.money(element) == nil)
    }

    @Test func writesAmountsWithTheCurrencysDecimals() throws {
        for (minorUnits, code, text) in [
            (1499, "USD", "14.99"), (100, "JPY", "100"), (5, "USD", "0.05"), (1234, "KWD", "1.234"),
        ] {
            let money = try RadialShop.money(Int64(minorUnits), code)
            let expected = XMLNode("Amount", [.init(name: "currencyCode", value: code)], text: text)
            #expect(WireAmount.node("Amount", money) == expected)
        }
    }

    @Test func ordersVersionsByTheirNumbers() throws {
        let versions = ["0.9", "1", "1.0.1", "1.1", "1.2", "1.9", "1.10", "2", "10"].compactMap(SchemaVersion.init)
        #expect(versions.count == 9)
        #expect(zip(versions, versions.dropFirst()).allSatisfy { $0 < $1 })
        let one = try #require(SchemaVersion("1"))
        let alike = try #require(SchemaVersion("1.0"))
        #expect(!(one < alike) && !(alike < one))
    }

    @Test func versionsHaveNumbersOfAnyLength() throws {
        let nines = String(repeating: "9", count: 40)
        let versions = [
            "0.\(nines)", "1.0.\(nines)", "1.2.0.0.0.0.0.0.1", "1.02.1", "1.\(nines)", "1.1\(nines)", nines,
        ]
        .compactMap(SchemaVersion.init)
        #expect(versions.count == 7)
        #expect(zip(versions, versions.dropFirst()).allSatisfy { $0 < $1 })
        #expect(versions[0] < .withResponseCode && versions[1] < .withResponseCode && versions[2] > .withTenderType)
    }

    @Test func namesAreADigitAndFiveLetters() throws {
        var names: Set<String> = []
        for seed in 0..<200 {
            let bytes = (0..<AccountToken.randomBytesCount).map { UInt8(truncatingIfNeeded: $0 * 37 + seed * 11) }
            let name = AccountToken.name(random: bytes)
            #expect(try AccountToken("411111" + name + "1111")?.name == #require(name as String?))
            names.insert(name)
        }
        #expect(names.count > 150)
        #expect(AccountToken.name(random: []).isEmpty)
    }

    @Test(arguments: [
        "", "4111111111111111", "411111PASeKx1111", "4111110PASe11111", "4111110PASeK111", "4111110PASeK11111",
        "4111110PASéK111",
        "411111OPASeK1111", " 4111110PASeK1111", "4111110PASeK111x",
    ])
    func isNoToken(text: String) {
        #expect(AccountToken(text) == nil)
    }
}
