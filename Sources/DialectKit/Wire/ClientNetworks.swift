//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// Addresses, and ranges of them, where a limit does not count: an operator's own proxies.
///
/// Of an IPv6 address the first 64 bits count, as everywhere (``ClientNetwork``).
public struct ClientNetworks: Hashable, Sendable {
    /// All whose highest bits are these.
    private struct Range: Hashable {
        let first: ClientNetwork
        let prefixLength: Int

        func contains(_ network: ClientNetwork) -> Bool {
            network.isIPv4 == self.first.isIPv4
                && (network.bits ^ self.first.bits) >> UInt64(network.width - self.prefixLength) == 0
        }
    }

    private var addresses: Set<ClientNetwork>
    private var ranges: [Range] = []

    public init(_ addresses: some Sequence<ClientNetwork> = []) {
        self.addresses = Set(addresses)
    }

    public func contains(_ network: ClientNetwork) -> Bool {
        self.addresses.contains(network) || self.ranges.contains { $0.contains(network) }
    }
}

extension ClientNetworks {
    /// Why a text names no addresses.
    public enum Malformed: Error, Equatable, CustomStringConvertible {
        case address(String)
        case prefixLength(String, allowed: ClosedRange<Int>)
        /// The address is none of a range's first ones.
        case bitsBehindPrefix(String)

        public var description: String {
            switch self {
            case .address(let text):
                "\(text) is no IP address; write one as 192.0.2.7 or 2001:db8::1, a range as 10.244.0.0/16"
            case .prefixLength(let text, let allowed):
                "the range \(text) must have a prefix of \(allowed.lowerBound) to \(allowed.upperBound) bits"
            case .bitsBehindPrefix(let text):
                "the address of the range \(text) has bits behind its prefix; write the first of the range, as in 10.0.0.0/8"
            }
        }
    }

    /// The widest ranges are those that are private to one network: 10.0.0.0/8 (RFC 1918), fc00::/7 (RFC 4193). A range of
    /// everybody would be no limit for anybody.
    private static let prefixLengthMinIPv4 = 8
    private static let prefixLengthMinIPv6 = 7

    /// - Parameter text: "192.0.2.7, 10.244.0.0/16, 2001:db8::/48" (RFC 4632, section 3.1; RFC 4291, section 2.3).
    public init(parsing text: String) throws(Malformed) {
        self.init()
        for part in text.split(separator: ",") {
            let written = String(part.filter { $0 != " " })
            guard let solidus = written.firstIndex(of: "/") else {
                guard let address = ClientNetwork(written) else { throw .address(written) }
                self.addresses.insert(address)
                continue
            }
            self.ranges.append(try Self.range(written, solidus: solidus))
        }
    }

    private static func range(_ written: String, solidus: String.Index) throws(Malformed) -> Range {
        let (address, suffix) = (written[..<solidus], written[written.index(after: solidus)...])
        guard let first = ClientNetwork(String(address)), first.isIPv4 == !address.contains(":") else {
            throw .address(written)
        }
        let allowed = (first.isIPv4 ? self.prefixLengthMinIPv4 : self.prefixLengthMinIPv6)...first.width
        guard suffix.utf8.allSatisfy(ASCII.isDigit), let length = Int(suffix), allowed.contains(length) else {
            throw .prefixLength(written, allowed: allowed)
        }
        guard first.bits(behind: length) == 0 else { throw .bitsBehindPrefix(written) }
        return Range(first: first, prefixLength: length)
    }
}

extension ClientNetwork {
    /// How many bits of the address count.
    fileprivate var width: Int { self.isIPv4 ? 32 : 64 }

    fileprivate func bits(behind prefixLength: Int) -> UInt64 {
        let behind = UInt64(self.width - prefixLength)
        return self.bits & ((1 << behind) - 1)
    }
}
