//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hosts
import Testing

@Suite struct IPNetworkTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.6", false), ("192.0.2.7/32", "192.0.2.6", false),
        ("10.244.0.0/16", "10.244.255.255", true), ("10.244.0.0/16", "10.245.0.0", false),
        ("10.244.0.0/16", "10.243.255.255", false), ("192.0.2.0/25", "192.0.2.127", true),
        ("192.0.2.0/25", "192.0.2.128", false), ("192.0.2.9/24", "192.0.2.200", true),
        ("10.0.0.0/08", "10.9.8.7", true),
        ("0.0.0.0/0", "198.51.100.1", true), ("0.0.0.0/0", "2001:db8::1", false), ("0.0.0.0/0", "::", false),
        ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
        ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
        ("2001:db8::7", "2001:db8::7", true), ("2001:db8::7", "2001:db8::6", false), ("::/0", "ffff::", true),
        ("2001:db8::/127", "2001:db8::1", true), ("2001:db8::/127", "2001:db8::2", false),
        // An IPv4 address in its IPv6 form is the same one.
        ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("10.0.0.0/8", "::a01:203", false),
        ("::ffff:10.0.0.0/104", "10.1.2.3", true), ("::ffff:10.0.0.0/104", "11.1.2.3", false),
        ("::/0", "198.51.100.1", true), ("::/96", "198.51.100.1", false),
    ])
    func containsWhatHasItsFirstBits(_ network: String, _ address: String, _ isContained: Bool) throws {
        let network = try #require(IPNetwork(network))
        #expect(network.contains(try #require(IPAddress(address))) == isContained)
    }

    @Test(arguments: [
        "", "/", "/8", "host", "host/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/+8", "10.0.0.0/-1", "10.0.0.0/ 8",
        "10.0.0.0/8 ",
        "10.0.0.0/8/8", "10.0.0.0/008", "10.0.0.0/128", "10.0.0.0/٨", "10.0.0/8", "010.0.0.0/8", "10.0.0.0\\8",
        "10.0.0.0/255.0.0.0", "2001:db8::/129", "2001:db8::/0032", "2001:db8:::/32", "2001:db8::/",
        "::/99999999999999999999",
    ])
    func refusesWhatIsNone(_ text: String) { #expect(IPNetwork(text) == nil) }

    @Test(arguments: [
        ("10.0.0.0/8", true), ("10.0.0.5/8", false), ("192.0.2.128/25", true), ("192.0.2.128/24", false),
        ("192.0.2.7", true), ("0.0.0.0/0", true), ("0.0.0.1/0", false), ("2001:db8::/32", true),
        ("2001:db8:1::/32", false), ("2001:db8::1", true), ("::/0", true), ("::1/0", false),
    ])
    func saysWhetherBitsStandBehindThePrefix(_ text: String, _ startsAtItsAddress: Bool) throws {
        #expect(try #require(IPNetwork(text)).startsAtItsAddress == startsAtItsAddress)
    }

    @Test(arguments: [
        ("192.0.2.7", 32), ("10.0.0.0/8", 8), ("2001:db8::1", 128), ("::ffff:10.0.0.0/104", 104), ("::/0", 0),
    ])
    func knowsHowManyBitsCount(_ text: String, _ length: Int) throws {
        #expect(try #require(IPNetwork(text)).prefixLength == length)
    }
}
