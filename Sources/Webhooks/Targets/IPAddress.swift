//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// Four or sixteen bytes, in network order.
    public let bytes: [UInt8]

    /// - Returns: `nil` unless there are four or sixteen bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// An address in its strict text form: four decimal numbers, or RFC 4291, section 2.2.
    public init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.bytes = withUnsafeBytes(of: v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self.bytes = withUnsafeBytes(of: v6) { Array($0) }
        } else {
            return nil
        }
    }

    public var isIPv6: Bool { self.bytes.count == 16 }

    /// "192.0.2.7", or eight groups of hexadecimal digits.
    public var description: String {
        guard self.isIPv6 else { return self.bytes.map { String($0) }.joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2).map { index in
            String(UInt16(self.bytes[index]) << 8 | UInt16(self.bytes[index + 1]), radix: 16)
        }.joined(separator: ":")
    }
}

extension IPAddress {
    /// An address and how many of its first bits count: "10.0.0.0/8".
    private struct Block {
        let bytes: [UInt8]
        let bitsCount: Int

        init(_ bytes: [UInt8], _ bitsCount: Int) {
            self.bytes = bytes
            self.bitsCount = bitsCount
        }

        func contains(_ address: some Collection<UInt8>) -> Bool {
            var bitsLeft = self.bitsCount
            for (own, other) in zip(self.bytes, address) where bitsLeft > 0 {
                let mask = bitsLeft >= 8 ? UInt8(0xFF) : ~(UInt8(0xFF) >> UInt8(bitsLeft))
                guard own & mask == other & mask else { return false }
                bitsLeft -= 8
            }
            return true
        }
    }

    /// IANA IPv4 Special-Purpose Address Registry (RFC 6890), whatever is not globally reachable; multicast (RFC 5771).
    private static let closedIPv4 = [
        Block([0], 8),  // this network, and "unspecified"
        Block([10], 8),  // private
        Block([100, 64], 10),  // shared address space of carriers
        Block([127], 8),  // loopback
        Block([169, 254], 16),  // link-local, and the metadata services of cloud providers
        Block([172, 16], 12),  // private
        Block([192, 0, 0], 24),  // protocol assignments
        Block([192, 0, 2], 24),  // documentation
        Block([192, 88, 99], 24),  // 6to4 relays, withdrawn
        Block([192, 168], 16),  // private
        Block([198, 18], 15),  // benchmarking
        Block([198, 51, 100], 24),  // documentation
        Block([203, 0, 113], 24),  // documentation
        Block([224], 4),  // multicast
        Block([240], 4),  // reserved, and broadcast
    ]

    /// IANA IPv6 Special-Purpose Address Registry, as far as it lies within global unicast.
    private static let closedWithinGlobalIPv6 = [
        Block([0x20, 0x01, 0x00], 23),  // protocol assignments, Teredo among them
        Block([0x20, 0x01, 0x0D, 0xB8], 32),  // documentation
        Block([0x20, 0x02], 16),  // 6to4: an IPv4 address in disguise
        Block([0x3F, 0xFF, 0x00], 20),  // documentation
    ]

    /// 2000::/3 (RFC 4291, section 2.4); nothing outside it is a global unicast address in use.
    private static let globalIPv6 = Block([0x20], 3)

    /// RFC 4291, section 2.5.5.2.
    private static let mappedIPv4 = Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96)

    /// IPv4-mapped addresses, and NAT64's well-known prefix (RFC 6052, section 2.1).
    private static let embeddings = [
        mappedIPv4,
        Block([0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96),
    ]

    private static let loopbackIPv4 = Block([127], 8)
    private static let loopbackIPv6 = Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 128)

    /// Whether the address is this machine's own (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3), also in its
    /// IPv4-mapped form.
    public var isLoopback: Bool {
        guard self.isIPv6 else { return Self.loopbackIPv4.contains(self.bytes) }
        return Self.loopbackIPv6.contains(self.bytes)
            || (Self.mappedIPv4.contains(self.bytes) && Self.loopbackIPv4.contains(self.bytes.suffix(4)))
    }

    /// Whether the address is one of the public internet: not loopback, private, link-local, shared, unique-local,
    /// multicast, unspecified, reserved, nor an IPv6 form of one of these.
    public var isPublic: Bool {
        guard self.isIPv6 else { return !Self.closedIPv4.contains { $0.contains(self.bytes) } }
        if Self.embeddings.contains(where: { $0.contains(self.bytes) }) {
            let embedded = self.bytes.suffix(4)
            return !Self.closedIPv4.contains { $0.contains(embedded) }
        }
        return Self.globalIPv6.contains(self.bytes) && !Self.closedWithinGlobalIPv6.contains { $0.contains(self.bytes) }
    }
}
