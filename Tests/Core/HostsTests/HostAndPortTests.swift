//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hosts
import Testing

@Suite struct HostAndPortTests {
    @Test(
        arguments: [
            ("shop.example", "shop.example", nil), ("shop.example:443", "shop.example", 443), ("a:1", "a", 1),
            ("Shop.Example.:65535", "Shop.Example.", 65_535), ("a-1.b:00080", "a-1.b", 80), ("127.1", "127.1", nil),
            ("192.0.2.7:80", "192.0.2.7", 80),
            (String(repeating: "a", count: 253), String(repeating: "a", count: 253), nil),
        ] as [(String, String, Int?)])
    func takesNamesAndIPv4Addresses(_ text: String, _ host: String, _ port: Int?) throws {
        let found = try #require(HostAndPort(text))
        #expect(found.host == host && found.port == port && !found.isIPv6 && found.urlHost == host)
    }

    @Test(
        arguments: [
            ("[::1]", "::1", nil), ("[2001:DB8::1]:8443", "2001:DB8::1", 8443),
            ("[::ffff:192.0.2.7]:1", "::ffff:192.0.2.7", 1),
        ] as [(String, String, Int?)])
    func takesIPv6AddressesInBrackets(_ text: String, _ host: String, _ port: Int?) throws {
        let found = try #require(HostAndPort(text))
        #expect(found.host == host && found.port == port && found.isIPv6 && found.urlHost == "[\(host)]")
    }

    @Test(arguments: [
        "", " ", ":", ":80", "::1", "::1:80", "[", "[]", "[::1", "::1]", "[::1]x", "[::1]80", "[::1]]", "[[::1]]",
        "[::::]", "[:]", "[1:2]", "[fe80::1%eth0]", "[127.0.0.1]", "[localhost]", "[::1]\u{301}:80", "a:\u{301}80",
    ])
    func takesNoOtherAddress(_ text: String) { #expect(HostAndPort(text) == nil) }

    @Test(arguments: [
        "a:", "a:0", "a:65536", "a:000080", "a:+1", "a:-1", "a:1:2", "a:8x", "a: 80", "a:80 ", "a:８０", "a:80/",
        "[::1]:", "[::1]:0",
    ])
    func takesNoOtherPort(_ text: String) { #expect(HostAndPort(text) == nil) }

    @Test(arguments: [
        ".a", "-a", "a..b", "a b", "a/b", "a?b", "a#b", "a\\b", "a%20b", "user@a", "shöp.example", "a\u{0}",
        "http://a", String(repeating: "a", count: 254),
    ])
    func takesNoOtherName(_ text: String) { #expect(HostAndPort(text) == nil) }

    @Test func machinesMayHaveUnderscoresInTheirNames() {
        #expect(HostAndPort("pay_gateway:80") == nil)
        let found = HostAndPort("pay_gateway:80", allowsUnderscores: true)
        #expect(found?.host == "pay_gateway" && found?.port == 80)
        #expect(HostAndPort("pay%gateway:80", allowsUnderscores: true) == nil)
    }

    @Test func aPartOfATextIsReadAsThePartAlone() {
        let url = "https://shop.example:8443/x"
        #expect(HostAndPort(url.dropFirst(8).prefix { $0 != "/" })?.port == 8443)
    }
}
