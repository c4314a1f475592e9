//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Settings

/// IPv4 networks, as an account's setting names them: "185.60.20.0/24, 54.246.203.105".
struct SenderNetworks: Sendable {
    private struct Network: Sendable {
        let bits: UInt32
        let mask: UInt32

        /// An address, perhaps with the length of its prefix (RFC 4632, section 3.1).
        init?(_ text: String) {
            let halves = text.split(separator: "/", omittingEmptySubsequences: false)
            guard let address = SenderNetworks.address(String(halves[0])), halves.count <= 2 else { return nil }
            var length: UInt32 = 32
            if halves.count == 2 {
                guard ASCII.isDigits(halves[1], 1...2), let read = UInt32(halves[1]), (8...32).contains(read) else {
                    return nil
                }
                length = read
            }
            self.mask = UInt32.max << (32 - length)
            // Bits beyond the prefix are a mistake: which network is meant nobody knows.
            guard address & self.mask == address else { return nil }
            self.bits = address
        }
    }

    private let networks: [Network]

    init?(_ text: String) {
        self.networks = SettingRules.elements(text).compactMap(Network.init)
        guard self.networks.count == SettingRules.elements(text).count else { return nil }
    }

    static let rule: SettingDescription.Rule = { value in
        SenderNetworks(value) == nil
            ? "must be IPv4 addresses or networks such as 185.60.20.0/24, separated by commas" : nil
    }

    /// Also of an address that is written as one of version 6 (RFC 4291, section 2.5.5.2). A sender that is not known is in
    /// none.
    func contain(_ address: String?) -> Bool {
        guard let address else { return false }
        let mapped = "::ffff:"
        let plain = address.lowercased().hasPrefix(mapped) ? String(address.dropFirst(mapped.count)) : address
        guard let bits = Self.address(plain) else { return false }
        return self.networks.contains { bits & $0.mask == $0.bits }
    }

    private static func address(_ text: String) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            // A leading zero would be octal to some.
            guard ASCII.isDigits(part, 1...3), part == "0" || !part.hasPrefix("0"), let byte = UInt8(part) else {
                return nil
            }
            bits = bits << 8 | UInt32(byte)
        }
        return bits
    }
}
