//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hosts
import Testing

@Suite struct HostNameTests {
    static let longest = String(repeating: String(repeating: "a", count: 49) + ".", count: 5) + "abc"

    @Test(arguments: [
        "shop.example.com", "Shop.Example.COM", "localhost", "a", "1", "3com.example", "127.0.0.1",
        "xn--bcher-kva.example",
        "a--b.example", String(repeating: "a", count: 63) + ".example", longest,
    ])
    func takesNames(_ text: String) { #expect(HostName.isName(text)) }

    @Test(arguments: [
        "", ".", "..", "../etc", "a/b", "a..b", ".a", "a.", "-a", "a-", "a.-b", "a-.b", "-", "a_b", "a b", "a\u{0}b",
        "a\n",
        "https://a.example", "a.example:443", "user@a.example", "%2e%2e", "a\\b", "[::1]", "*.example",
        String(repeating: "a", count: 64) + ".example", longest + "d",
    ])
    func refusesWhatIsNone(_ text: String) { #expect(!HostName.isName(text)) }

    /// The last one is a letter that is "k" in lower case: the sign of the unit kelvin.
    @Test(arguments: [
        "bücher.example", "ｓhop.example", "а.example", "a\u{301}.example", "a.\u{301}b", "\u{212A}.example",
    ])
    func lettersOfOtherScriptsAreNone(_ text: String) { #expect(!HostName.isName(text)) }

    @Test func labelsHaveNoDots() {
        for text in ["a", "A-1", "0", String(repeating: "a", count: 63)] { #expect(HostName.isLabel(text), "\(text)") }
        for text in ["", "a.b", "-a", "a-", "*", "ä", String(repeating: "a", count: 64)] {
            #expect(!HostName.isLabel(text), "\(text)")
        }
        #expect(HostName.isLabel("shop.example".dropFirst(5)))
    }

    @Test func charactersAreThoseOfNamesAndOfIPv4Addresses() {
        let characters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.".utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(HostName.isCharacter(byte) == characters.contains(byte), "\(byte)")
        }
    }
}
