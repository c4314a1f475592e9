//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ASCII

/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The halves of ``bits``. They are kept, and no `UInt128`: with one, asynchronous code that was built for debugging
    /// crashed where it had addresses at hand (Swift 6.3.1, x86-64).
    public let high: UInt64
    public let low: UInt64
    /// How it was written: false for "192.0.2.7", true for "::ffff:192.0.2.7".
    public let isIPv6: Bool

    /// Those of an IPv6 address; an IPv4 address stands here as IPv6 sockets show it (RFC 4291, section 2.5.5.2).
    var bits: UInt128 { UInt128(self.high) << 64 | UInt128(self.low) }

    @inlinable
    init(ipv4 bits: UInt32) {
        (self.high, self.low) = (0, 0xFFFF_0000_0000 | UInt64(bits))
        self.isIPv6 = false
    }

    @usableFromInline
    init(ipv6 bits: UInt128) {
        (self.high, self.low) = (UInt64(truncatingIfNeeded: bits >> 64), UInt64(truncatingIfNeeded: bits))
        self.isIPv6 = true
    }

    /// - Parameter bytes: in network order.
    /// - Returns: `nil` unless there are four or sixteen bytes.
    public init?(bytes: [UInt8]) {
        switch bytes.count {
        case 4: self.init(ipv4: bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16: self.init(ipv6: bytes.reduce(0) { $0 << 8 | UInt128($1) })
        default: return nil
        }
    }

    /// An address in its strict text form: four decimal numbers, or RFC 4291, section 2.2.
    @inlinable
    public init?(_ text: String) {
        // Nearly all clients are of version 4, and each request asks.
        if let bits = Self.ipv4(text.utf8) {
            self.init(ipv4: bits)
        } else if let bits = Self.ipv6(text.utf8) {
            self.init(ipv6: bits)
        } else {
            return nil
        }
    }

    /// Four or sixteen bytes, in network order.
    public var bytes: [UInt8] {
        let count = self.isIPv6 ? 16 : 4
        return (1...count).map { UInt8(truncatingIfNeeded: self.bits >> (8 * (count - $0))) }
    }

    /// Whether it is of IPv4, however it is written.
    @inlinable
    public var isOfIPv4: Bool { self.high == 0 && self.low >> 32 == 0xFFFF }

    /// "192.0.2.7", or eight groups of hexadecimal digits.
    public var description: String {
        guard self.isIPv6 else { return self.bytes.map { String($0) }.joined(separator: ".") }
        return (1...8).map { String(UInt16(truncatingIfNeeded: self.bits >> (16 * (8 - $0))), radix: 16) }
            .joined(separator: ":")
    }
}

// MARK: - Text

extension IPAddress {
    /// What an address is written with: hexadecimal digits, colons and dots (RFC 4291, section 2.2).
    public static func isCharacter(_ byte: UInt8) -> Bool {
        ASCII.isHexDigit(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    /// Numbers without leading zeros, which some readers take for octal (POSIX, inet_addr).
    @inlinable
    static func ipv4(_ text: some Sequence<UInt8>) -> UInt32? {
        var (bits, part, digits, dots) = (UInt32(0), UInt32(0), 0, 0)
        for byte in text {
            switch byte {
            case _ where ASCII.isDigit(byte):
                guard digits == 0 || part > 0 else { return nil }
                part = part * 10 + UInt32(byte - 0x30)
                digits += 1
                guard part <= 255 else { return nil }
            case 0x2E:
                guard digits > 0, dots < 3 else { return nil }
                bits = bits << 8 | part
                (part, digits, dots) = (0, 0, dots + 1)
            default: return nil
            }
        }
        guard dots == 3, digits > 0 else { return nil }
        return bits << 8 | part
    }

    /// Groups of up to four hexadecimal digits, "::" once in the place of one or more that are zero, and the last two
    /// perhaps as an IPv4 address.
    @usableFromInline
    static func ipv6(_ text: String.UTF8View) -> UInt128? {
        var groups = Groups()
        var (group, digits) = (UInt32(0), 0)
        var (start, index) = (text.startIndex, text.startIndex)
        while index < text.endIndex {
            let byte = text[index]
            let next = text.index(after: index)
            if let value = ASCII.hexValue(byte) {
                if digits == 0 { start = index }
                (group, digits, index) = (group << 4 | UInt32(value), digits + 1, next)
                guard digits <= 4 else { return nil }
            } else if byte == UInt8(ascii: ":") {
                guard next < text.endIndex else { return nil }
                let isDouble = text[next] == byte
                // Nothing stands before a colon at the beginning alone, and then there are two.
                guard digits > 0 ? groups.append(group, 1) : isDouble && index == text.startIndex else { return nil }
                guard !isDouble || groups.skip() else { return nil }
                (group, digits, index) = (0, 0, isDouble ? text.index(after: next) : next)
            } else {
                guard byte == UInt8(ascii: "."), digits > 0, let rest = self.ipv4(text[start...]) else { return nil }
                return groups.append(rest, 2) ? groups.bits : nil
            }
        }
        guard digits == 0 || groups.append(group, 1) else { return nil }
        return groups.bits
    }

    /// Those that were read, the last one lowest.
    private struct Groups {
        private var read = UInt128(0)
        private var count = 0
        /// How many stand before "::".
        private var countBeforeGap: Int?

        mutating func append(_ bits: UInt32, _ count: Int) -> Bool {
            self.read = self.read << (16 * count) | UInt128(bits)
            self.count += count
            return self.count <= 8
        }

        mutating func skip() -> Bool {
            guard self.countBeforeGap == nil else { return false }
            self.countBeforeGap = self.count
            return true
        }

        var bits: UInt128? {
            guard let before = self.countBeforeGap else { return self.count == 8 ? self.read : nil }
            guard self.count < 8 else { return nil }
            let after = 16 * (self.count - before)
            return (self.read >> after) << (16 * (8 - before)) | self.read & ((1 << after) - 1)
        }
    }
}
