//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hosts
import Testing

/// What may go without TLS.
@Suite struct LoopbackHostTests {
    @Test func isWrittenAsTheFormHasIt() {
        for host in ["localhost", "127.0.0.1"] {
            #expect(
                LoopbackHost.isHost(host) && LoopbackHost.isURLHost(host) && LoopbackHost.isAuthority(host), "\(host)")
        }
        #expect(LoopbackHost.isHost("::1") && !LoopbackHost.isURLHost("::1") && !LoopbackHost.isAuthority("::1"))
        #expect(LoopbackHost.isURLHost("[::1]") && LoopbackHost.isAuthority("[::1]") && !LoopbackHost.isHost("[::1]"))
    }

    /// Some of these lead to this machine with some resolvers.
    static let others = [
        "", " ", "localhost.", "LOCALHOST", "a.localhost", "localhost.example", "notlocalhost", "localhost ",
        "127.0.0.2",
        "127.1", "127.0.0.01", "0127.0.0.1", "0177.0.0.1", "2130706433", "0x7f000001", "127.0.0.1.example",
        "127.0.0.1.",
        "0.0.0.0", "::", "[::]", "0:0:0:0:0:0:0:1", "[0:0:0:0:0:0:0:1]", "::ffff:127.0.0.1", "[::ffff:127.0.0.1]",
        "[::1", "::1]", "[127.0.0.1]", "[localhost]", "::1%lo", "10.0.0.1", "shop.example", "127.0.0.1\u{0}",
    ]

    @Test(arguments: others)
    func anyOtherSpellingIsAnotherHost(_ host: String) {
        #expect(!LoopbackHost.isHost(host))
        #expect(!LoopbackHost.isURLHost(host))
        #expect(!LoopbackHost.isAuthority(host))
        #expect(!LoopbackHost.isAuthority("\(host):80"))
    }

    @Test(arguments: ["localhost:8080", "127.0.0.1:1", "[::1]:65535"])
    func authoritiesMayHaveAPort(_ authority: String) {
        #expect(LoopbackHost.isAuthority(authority))
        #expect(!LoopbackHost.isHost(authority) && !LoopbackHost.isURLHost(authority))
    }

    @Test(arguments: [
        "localhost:80@evil.example", "localhost:x@evil.example", "localhost@evil.example", "user@localhost",
        "localhost:80:80", "localhost:", "localhost:65536", "localhost:80x", "localhost:+80", "localhost/", "[::1]80",
        "[::1].example", "::1:80", ":80",
        "localhost:８０",
    ])
    func authoritiesHaveNothingElse(_ authority: String) { #expect(!LoopbackHost.isAuthority(authority)) }
}
