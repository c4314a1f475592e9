//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import Testing

@testable import ConnectorKit

@Suite struct FieldTests {
    @Test func cutsWhatIsTooLongAndDropsWhatIsNothing() {
        #expect(FieldText.plain("abcdef", max: 3) == "abc")
        #expect(FieldText.plain("  a\u{0}b\nc  ", max: 10) == "a b c")
        #expect(FieldText.plain("ab cd", max: 3) == "ab")
        #expect(FieldText.plain(" \n ", max: 3) == nil)
        #expect(FieldText.plain(nil, max: 3) == nil)
        #expect(FieldText.plain("Zoë", max: 3) == "Zoë")
    }

    @Test(arguments: ["a@b.example", "first.last+tag@sub.example.com"])
    func takesAddresses(_ text: String) { #expect(FieldText.email(text) == text) }

    @Test(arguments: [
        "", "a", "a@b", "@b.example", "a@@b.example", "a b@c.example", "a@.example", "a@b..example", "ä@b.example",
    ])
    func dropsWhatIsNoAddress(_ text: String) { #expect(FieldText.email(text) == nil) }

    @Test func knowsCountries() {
        #expect(FieldText.countryAlpha3("AU") == "AUS")
        #expect(FieldText.countryAlpha3("DE") == "DEU")
        #expect(FieldText.countryAlpha3("GBR") == "GBR")
        for text in ["", "au", "ZZ", "ZZZ", "A", "AUST"] { #expect(FieldText.countryAlpha3(text) == nil) }
    }

    /// Every code that says more than "no".
    private static let reasons: [String: DeclineReason] = [
        "01": .doNotHonor, "02": .doNotHonor, "05": .doNotHonor, "12": .doNotHonor,
        "04": .lostOrStolenCard, "07": .lostOrStolenCard, "41": .lostOrStolenCard, "43": .lostOrStolenCard,
        "14": .invalidCard, "15": .invalidCard, "46": .invalidCard,
        "33": .expiredCard, "54": .expiredCard, "51": .insufficientFunds,
        "57": .notPermitted, "58": .notPermitted, "62": .notPermitted, "93": .notPermitted, "1A": .notPermitted,
        "34": .suspectedFraud, "59": .suspectedFraud, "63": .suspectedFraud,
        "61": .exceedsLimit, "65": .exceedsLimit, "68": .timedOut,
        "91": .issuerUnavailable, "92": .issuerUnavailable,
        "06": .systemError, "30": .systemError, "96": .systemError,
    ]

    /// Of all codes of two characters, and of what is none.
    @Test func readsIssuerCodes() {
        let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        let codes = characters.flatMap { first in characters.map { String([first, $0]) } }
        for code in codes + ["", "5", "051", "1a", " 5", "4111111111111111"] {
            #expect(DeclineReason(issuerResponseCode: code) == Self.reasons[code], "\(code)")
        }
        #expect(Self.reasons.count == 30)
    }

    @Test func writesPathsAndLeavesNoEmptyObjects() {
        var fields = JSONFields()
        fields.set("order.amount", "1.00")
        fields.set("order.currency", "USD")
        fields.set("customer.email", nil as String?)
        fields.set("order.flag", true)
        #expect(fields.json.text() == #"{"order":{"amount":"1.00","currency":"USD","flag":true}}"#)
        #expect(fields.json[path: "order.currency"]?.string == "USD")
        #expect(fields.json[path: "order.currency.deeper"] == nil)
    }

    // MARK: - Where an acquirer is

    @Test(arguments: [
        ("ap-gateway.mastercard.com", "https://ap-gateway.mastercard.com"),
        ("https://Gateway.Example:8443", "https://gateway.example:8443"),
        ("https://gateway.example/", "https://gateway.example"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://[::1]:1", "http://[::1]:1"),
        ("localhost:8443", "https://localhost:8443"),
    ])
    func readsAddresses(_ text: String, _ origin: String) { #expect(UpstreamAddress(text)?.origin == origin) }

    @Test(arguments: [
        "", " ", "ftp://a.example", "https://", "https://a.example/path", "https://user@a.example", "a.example?x",
        "a.example:0", "a.example:65536", "a.example:", "a.example:1:2", "https://a.example:+1", "a b", "[::1",
        "[gg]", "a.example#x", "-a.example", ".example", "a_b.example", "https://a.example\\b", "a.example/",
    ])
    func takesNoOtherAddress(_ text: String) { #expect(UpstreamAddress(text) == nil) }

    @Test(arguments: ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
    func knowsThisMachine(_ text: String) { #expect(UpstreamAddress(text)?.isLoopback == true) }

    /// Numbers in every notation that a resolver takes for 127.0.0.1.
    @Test(arguments: [
        "127.0.0.1", "127.1", "127.0.0.2", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "[::1]",
        "[::ffff:127.0.0.1]", "localhost", "localhost.", "a.localhost", "0.0.0.0", "gateway",
    ])
    func takesNoNumberForPublicName(_ text: String) { #expect(UpstreamAddress(text)?.isPublicName == false) }

    @Test(arguments: ["ap-gateway.mastercard.com", "gateway.bank.example", "gateway.bank.example."])
    func knowsPublicNames(_ text: String) { #expect(UpstreamAddress(text)?.isPublicName == true) }
}
