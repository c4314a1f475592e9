//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Testing

@Suite struct NotificationTargetTests {
    @Test(
        arguments: [
            ("https://shop.example/notify", true, "shop.example", 443, "/notify", nil),
            ("HTTPS://Shop.Example", true, "shop.example", 443, "/", nil),
            ("http://shop.example:8080/a%20b?x=1&y=2", false, "shop.example", 8080, "/a%20b", "x=1&y=2"),
            ("https://192.0.2.7?q", true, "192.0.2.7", 443, "/", "q"),
            ("https://[2001:DB8::1]:8443/", true, "2001:db8::1", 8443, "/", nil),
        ] as [(String, Bool, String, Int, String, String?)])
    func takesAnAddressApart(
        text: String, isSecure: Bool, host: String, port: Int, path: String, query: String?
    ) throws {
        let target = try #require(NotificationTarget(text))
        #expect(target.isSecure == isSecure)
        #expect(target.host == host)
        #expect(target.port == port)
        #expect(target.path == path)
        #expect(target.query == query)
    }

    @Test(arguments: [
        "", "shop.example/notify", "ftp://shop.example", "https:/shop.example", "https://", "https:///x",
        "https://user@shop.example/", "https://user:secret@shop.example/", "https://shop.example/#part",
        "https://shop.example:0/", "https://shop.example:65536/", "https://shop.example:/", "https://shop.example:8x/",
        "https://shop example/", "https://shöp.example/", "https://shop.example/\\evil", "https://shop..example/",
        "https://.example/", "https://[::1", "https://[shop]/", "https://[::1]x/", "https://a_b.example/",
        "javascript:alert(1)", "https://shop.example/\u{7}",
    ])
    func refusesWhatIsNoPlainAddress(text: String) {
        #expect(NotificationTarget(text) == nil)
    }

    @Test func refusesAnAddressThatIsTooLong() {
        #expect(NotificationTarget("https://shop.example/" + String(repeating: "a", count: 2048)) == nil)
    }
}
