//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// Single addresses and CIDR ranges of IPv4 (RFC 4632) and IPv6 (RFC 4291). What cannot be read allows nobody.
struct AddressList: Hashable, Sendable {
    private let ranges: [AddressRange]

    init(_ texts: [String]) {
        self.ranges = texts.compactMap(AddressRange.init)
    }

    func contains(_ address: String) -> Bool {
        guard let bytes = AddressRange.bytes(of: address[...]) else { return false }
        return self.ranges.contains { $0.contains(bytes) }
    }
}

/// An address with the number of leading bits that count.
struct AddressRange: Hashable, Sendable {
    private let bytes: [UInt8]
    private let bitsCount: Int

    /// "192.0.2.0/24", "2001:db8::/32", "192.0.2.7".
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let bytes = Self.bytes(of: first) else { return nil }
        // An IPv4 range that is written so stays one when it is compared in its mapped form.
        let isMapped = bytes.count == 16 && first.contains(":") == false
        self.bytes = bytes
        guard parts.count == 2 else {
            self.bitsCount = 128
            return
        }
        guard ASCII.isDigits(parts[1], 1...3),
            let bitsCount = Int(parts[1]), bitsCount <= (isMapped ? 32 : 128)
        else { return nil }
        self.bitsCount = isMapped ? bitsCount + 96 : bitsCount
    }

    func contains(_ address: [UInt8]) -> Bool {
        let wholeBytes = self.bitsCount / 8
        guard address.prefix(wholeBytes).elementsEqual(self.bytes.prefix(wholeBytes)) else { return false }
        let restBits = self.bitsCount % 8
        guard restBits > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xFF << (8 - restBits))
        return address[wholeBytes] & mask == self.bytes[wholeBytes] & mask
    }

    /// The sixteen bytes of an address; IPv4 in the form that IPv6 sockets show it in (RFC 4291, section 2.5.5.2).
    static func bytes(of text: Substring) -> [UInt8]? {
        if !text.contains(":") { return self.ipv4(text).map { [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + $0 } }
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2, let head = self.groups(halves[0]) else { return nil }
        if halves.count == 1 { return head.count == 16 ? head : nil }
        guard let tail = self.groups(halves[1]), head.count + tail.count <= 14 else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    private static func groups(_ text: Substring) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains("."), let ipv4 = self.ipv4(part) {
                bytes += ipv4
                continue
            }
            guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(ASCII.isHexDigit),
                let group = UInt16(part, radix: 16)
            else { return nil }
            bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
        return bytes.count <= 16 ? bytes : nil
    }

    private static func ipv4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard ASCII.isDigits(part, 1...3), let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
