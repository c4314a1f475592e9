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
        "", "192.0.2", "192.0.2.7.1", "192.0.2.256", "192.0.2.", "192.0.2.7 ", "0192.0.2.7", "192.0.02.7", "host",
        "fe80::1%eth0",
        ":",
        "2001:db8::1::2", String(repeating: "1:", count: 100),
    ])
    func refusesWhatIsNoAddress(text: String) {
        #expect(ClientNetwork(text) == nil)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.6", false),
        ("10.244.0.0/16", "10.244.255.255", true), ("10.244.0.0/16", "10.245.0.0", false),
        ("10.244.0.0/16", "10.243.255.255", false), ("10.244.0.0/16", "::ffff:10.244.3.4", true),
        ("10.0.0.0/8", "::a00:1", false), ("192.0.2.7/32", "192.0.2.7", true), ("192.0.2.7/32", "192.0.2.6", false),
        ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
        ("2001:db8::/64", "2001:db8::9", true), ("2001:db8::/64", "2001:db8:0:1::", false),
        ("fc00::/7", "fd12::1", true),
        ("fc00::/7", "fe80::1", false), ("192.0.2.1, 10.0.0.0/8,::1", "10.9.8.7", true),
        ("192.0.2.1, 10.0.0.0/8,::1", "192.0.2.1", true), ("192.0.2.1, 10.0.0.0/8,::1", "::2", true),
        ("192.0.2.1, 10.0.0.0/8,::1", "11.0.0.0", false), ("", "192.0.2.1", false),
    ])
    func knowsAddressesOfRanges(list: String, address: String, isAmong: Bool) throws {
        let networks = try ClientNetworks(parsing: list)
        #expect(networks.contains(try #require(ClientNetwork(address))) == isAmong)
    }

    @Test(arguments: [
        ("proxy", ClientNetworks.Malformed.address("proxy")), ("010.0.0.0/8", .address("010.0.0.0/8")),
        ("192.0.2.1,host/8", .address("host/8")),
        ("/8", .address("/8")), ("::ffff:10.0.0.0/104", .address("::ffff:10.0.0.0/104")),
        ("10.0.0.0/", .prefixLength("10.0.0.0/", allowed: 8...32)),
        ("10.0.0.0/33", .prefixLength("10.0.0.0/33", allowed: 8...32)),
        ("0.0.0.0/0", .prefixLength("0.0.0.0/0", allowed: 8...32)), ("::/0", .prefixLength("::/0", allowed: 7...64)),
        ("10.0.0.0/+8", .prefixLength("10.0.0.0/+8", allowed: 8...32)),
        ("10.0.0.0/8/8", .prefixLength("10.0.0.0/8/8", allowed: 8...32)),
        ("2001:db8::1/128", .prefixLength("2001:db8::1/128", allowed: 7...64)),
        ("10.0.0.5/8", .bitsBehindPrefix("10.0.0.5/8")), ("2001:db8:1::/32", .bitsBehindPrefix("2001:db8:1::/32")),
    ])
    func refusesRangesThatSayTwoThingsOrTooMuch(list: String, error: ClientNetworks.Malformed) {
        #expect(throws: error) { try ClientNetworks(parsing: list) }
    }
}
