//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Testing

@Suite struct ClientNetworkTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false), ("::ffff:192.0.2.7", "192.0.2.7", true),
        ("2001:db8::1", "2001:db8:0:0:ffff::2", true), ("2001:db8::1", "2001:db8:0:1::1", false),
        ("::1", "0.0.0.1", false), ("::", "0.0.0.0", false), ("255.255.255.255", "::ffff:ffff:ffff", true),
    ])
    func countsNetworksAsOne(first: String, second: String, areOne: Bool) throws {
        let (first, second) = (try #require(ClientNetwork(first)), try #require(ClientNetwork(second)))
        #expect((first == second) == areOne)
    }

    @Test(arguments: [
        "", "192.0.2", "192.0.2.7.1", "192.0.2.256", "192.0.2.", "192.0.2.7 ", "0192.0.2.7", "host", "fe80::1%eth0",
        ":",
        "2001:db8::1::2", String(repeating: "1:", count: 100),
    ])
    func refusesWhatIsNoAddress(text: String) {
        #expect(ClientNetwork(text) == nil)
    }
}
