//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// The addresses whose first bits are the same (RFC 4632, section 3.1; RFC 4291, section 2.3).
///
/// An IPv4 address is among those of an IPv6 network that has it in its IPv4-mapped form, and the other way round.
public struct IPNetwork: Hashable, Sendable {
    /// As it was written: perhaps not the network's first.
    private let address: IPAddress
    /// How many bits of the address count, of 32 or 128.
    public let prefixLength: Int

    /// "192.0.2.0/24", "2001:db8::/32"; "192.0.2.7" for the one address.
    public init?(_ text: String) {
        let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(String(halves[0])) else { return nil }
        let width = address.isIPv6 ? 128 : 32
        var length = width
        if halves.count == 2 {
            guard ASCII.isDigits(halves[1], 1...(address.isIPv6 ? 3 : 2)), let read = Int(halves[1]), read <= width
            else { return nil }
            length = read
        }
        self.address = address
        self.prefixLength = length
    }

    private var mask: UInt128 { UInt128.max << ((self.address.isIPv6 ? 128 : 32) - self.prefixLength) }

    public func contains(_ address: IPAddress) -> Bool { (address.bits ^ self.address.bits) & self.mask == 0 }

    /// Whether no bit is set behind the prefix. Of another address nobody knows which network was meant.
    public var startsAtItsAddress: Bool { self.address.bits & ~self.mask == 0 }
}
