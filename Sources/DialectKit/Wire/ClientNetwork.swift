//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hosts

/// Where a client is, as far as limits distinguish clients: an IPv4 address, or the first 64 bits of an IPv6 address,
/// because whoever has one address of such a network has all of them (RFC 6177, RFC 7934).
///
/// An IPv4 address that is written as an IPv6 one (RFC 4291, section 2.5.5.2) counts as what it is.
public struct ClientNetwork: Hashable, Sendable {
    let isIPv4: Bool
    /// 32 bits of an IPv4 address, the first 64 of an IPv6 one.
    let bits: UInt64

    /// - Parameter address: "192.0.2.7", "2001:db8::1"; `nil` for anything else.
    public init?(_ address: String) {
        guard let address = IPAddress(address) else { return nil }
        self.isIPv4 = address.isOfIPv4
        self.bits = self.isIPv4 ? address.low & 0xFFFF_FFFF : address.high
    }
}
