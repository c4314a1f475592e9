//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension IPAddress {
    /// - Precondition: they are such networks, from their first addresses on.
    private static func networks(_ texts: String...) -> [IPNetwork] {
        texts.map { text in
            guard let network = IPNetwork(text), network.startsAtItsAddress else {
                preconditionFailure("\(text) is no network")
            }
            return network
        }
    }

    /// IANA IPv4 Special-Purpose Address Registry (RFC 6890), whatever is not globally reachable; multicast (RFC 5771).
    private static let closedIPv4 = networks(
        "0.0.0.0/8",  // this network, and "unspecified"
        "10.0.0.0/8",  // private
        "100.64.0.0/10",  // shared address space of carriers
        "127.0.0.0/8",  // loopback
        "169.254.0.0/16",  // link-local, and the metadata services of cloud providers
        "172.16.0.0/12",  // private
        "192.0.0.0/24",  // protocol assignments
        "192.0.2.0/24",  // documentation
        "192.88.99.0/24",  // 6to4 relays, withdrawn
        "192.168.0.0/16",  // private
        "198.18.0.0/15",  // benchmarking
        "198.51.100.0/24",  // documentation
        "203.0.113.0/24",  // documentation
        "224.0.0.0/4",  // multicast
        "240.0.0.0/4"  // reserved, and broadcast
    )

    /// IANA IPv6 Special-Purpose Address Registry, as far as it lies within global unicast.
    private static let closedWithinGlobalIPv6 = networks(
        "2001::/23",  // protocol assignments, Teredo among them
        "2001:db8::/32",  // documentation
        "2002::/16",  // 6to4: an IPv4 address in disguise
        "3fff::/20"  // documentation
    )

    /// Nothing outside it is a global unicast address in use (RFC 4291, section 2.4).
    private static let globalIPv6 = networks("2000::/3")

    /// NAT64's well-known prefix (RFC 6052, section 2.1), with an IPv4 address behind it.
    private static let translatedIPv4 = networks("64:ff9b::/96")

    private static let loopback = networks("127.0.0.0/8", "::1")

    private func isAmong(_ networks: [IPNetwork]) -> Bool { networks.contains { $0.contains(self) } }

    /// Whether the address is this machine's own (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3), also in its
    /// IPv4-mapped form.
    public var isLoopback: Bool { self.isAmong(Self.loopback) }

    /// Whether the address is one of the public internet: not loopback, private, link-local, shared, unique-local,
    /// multicast, unspecified, reserved, nor an IPv6 form of one of these.
    public var isPublic: Bool {
        if self.isOfIPv4 { return !self.isAmong(Self.closedIPv4) }
        if self.isAmong(Self.translatedIPv4) {
            return IPAddress(ipv4: UInt32(truncatingIfNeeded: self.bits)).isPublic
        }
        return self.isAmong(Self.globalIPv6) && !self.isAmong(Self.closedWithinGlobalIPv6)
    }
}
