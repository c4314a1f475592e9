//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Hosts

/// Where an acquirer is, as an account's setting says it: a host name, "https://host:port", or, for a program on this
/// machine, "http://127.0.0.1:port".
public struct UpstreamAddress: Hashable, Sendable {
    public let isPlain: Bool
    /// As it stands in a URL, an IPv6 address in its brackets.
    public let host: String
    public let port: Int?

    /// `nil` for anything else: a path, a query, credentials, a blank.
    public init?(_ text: String) {
        var rest = Substring(text)
        if let secure = rest.afterPrefix("https://") {
            (rest, self.isPlain) = (secure, false)
        } else if let plain = rest.afterPrefix("http://") {
            (rest, self.isPlain) = (plain, true)
        } else {
            self.isPlain = false
        }
        if rest.hasSuffix("/"), text.contains("://") { rest = rest.dropLast() }
        guard let place = HostAndPort(rest) else { return nil }
        self.host = place.urlHost.lowercased()
        self.port = place.port
    }

    /// "https://host:port".
    public var origin: String {
        "\(self.isPlain ? "http" : "https")://\(self.host)\(self.port.map { ":\($0)" } ?? "")"
    }

    /// Whether it is this machine for certain: written as it is always written.
    public var isLoopback: Bool { LoopbackHost.isURLHost(self.host) }

    /// Whether it is a name, and none that means this machine. A number is none, in whatever notation: "127.1",
    /// "0x7f000001" and "2130706433" are all 127.0.0.1 to a resolver (POSIX, inet_addr).
    public var isPublicName: Bool {
        let labels = self.host.split(separator: ".")
        guard let last = labels.last, labels.count >= 2, !self.host.hasPrefix("["), last != "localhost" else {
            return false
        }
        return !last.utf8.allSatisfy(ASCII.isDigit) && !last.hasPrefix("0x")
    }

    /// The host as an address, where it is written as one.
    var ipAddress: IPAddress? {
        IPAddress(self.host.hasPrefix("[") ? String(self.host.dropFirst().dropLast()) : self.host)
    }

    /// Whether it is a name that leads away from this machine, or an address of the public internet.
    public var isPublic: Bool { self.isPublicName || self.ipAddress?.isPublic == true }
}

extension Substring {
    fileprivate func afterPrefix(_ prefix: String) -> Substring? {
        self.hasPrefix(prefix) ? self.dropFirst(prefix.count) : nil
    }
}
