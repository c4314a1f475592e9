//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Testing

/// The names under which a domain's file is asked for.
struct WellKnownHostTests {
    @Test(
        arguments: [
            ("shop.example.com", "shop.example.com"), ("Shop.Example.COM", "shop.example.com"),
            ("localhost", "localhost"), ("127.0.0.1", "127.0.0.1"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ])
    func hostNamesAreWrittenInOneWay(text: String, name: String) {
        #expect(WellKnownHost(text)?.name == name)
    }

    @Test(
        arguments: [
            "", ".", "..", "../etc", "/etc/passwd", "a/b", "a..b", ".a", "a.", "-a", "a-", "a_b", "a b", "a\u{0}b",
            "bücher.example", "\u{212A}iosk.example", "https://a.example", "a.example:443", "%2e%2e", "a\\b", "[::1]",
            String(repeating: "a", count: 64), String(repeating: "abcdefg.", count: 32) + "example",
        ])
    func refusesWhatIsNoHostName(text: String) {
        #expect(WellKnownHost(text) == nil)
    }

    @Test(
        arguments: [
            ("shop.example.com:443", "shop.example.com"), ("shop.example.com", "shop.example.com"),
            ("SHOP.example.com:8443", "shop.example.com"), ("shop.example.com:", nil), ("shop.example.com:x", nil),
            ("shop.example.com:1:2", nil), ("shop.example.com:123456", nil), ("[::1]:443", nil), (":443", nil),
        ] as [(String, String?)])
    func portIsNoPartOfTheHost(authority: String, name: String?) {
        #expect(WellKnownHost(authority: authority)?.name == name)
    }
}
