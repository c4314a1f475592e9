//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Foundation

/// Where a client is, as far as limits distinguish clients: an IPv4 address, or the first 64 bits of an IPv6 address,
/// because whoever has one address of such a network has all of them (RFC 6177, RFC 7934).
///
/// An IPv4 address that is written as an IPv6 one (RFC 4291, section 2.5.5.2) counts as what it is.
public struct ClientNetwork: Hashable, Sendable {
    private enum Family: Hashable {
        case ipv4
        case ipv6
    }

    private let family: Family
    /// 32 bits of an IPv4 address, the first 64 of an IPv6 one.
    let bits: UInt64

    var isIPv4: Bool { self.family == .ipv4 }

    /// - Parameter address: "192.0.2.7", "2001:db8::1"; `nil` for anything else.
    public init?(_ address: String) {
        // Nearly all are of version 4, and each request asks.
        if let bits = Self.ipv4(address.utf8) {
            self.family = .ipv4
            self.bits = bits
            return
        }
        var bytes = in6_addr()
        guard address.utf8.count <= 45, inet_pton(AF_INET6, address, &bytes) == 1 else { return nil }
        let words = withUnsafeBytes(of: bytes) { raw in
            (raw.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, raw.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) })
        }
        let isMapped = words.0 == 0 && words.1 >> 32 == 0xFFFF
        self.family = isMapped ? .ipv4 : .ipv6
        self.bits = isMapped ? words.1 & 0xFFFF_FFFF : words.0
    }

    private static func ipv4(_ text: String.UTF8View) -> UInt64? {
        var (bits, part, digits, dots) = (UInt64(0), UInt64(0), 0, 0)
        for byte in text {
            switch byte {
            case _ where ASCII.isDigit(byte):
                part = part * 10 + UInt64(byte - UInt8(ascii: "0"))
                digits += 1
                guard digits <= 3, part <= 255 else { return nil }
            case UInt8(ascii: "."):
                guard digits > 0, dots < 3 else { return nil }
                bits = bits << 8 | part
                (part, digits, dots) = (0, 0, dots + 1)
            default: return nil
            }
        }
        guard dots == 3, digits > 0 else { return nil }
        return bits << 8 | part
    }
}
