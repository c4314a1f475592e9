//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// A host and perhaps a port, as they stand in a URL without a user (RFC 3986, section 3.2), and as a request says whom
/// it is for (RFC 9110, section 7.2). Strict, because lenient readers disagree about where a host ends.
public struct HostAndPort: Hashable, Sendable {
    private static let nameBytesMax = 253

    /// As it was written: a name, or an address, of IPv6 without its brackets.
    public let host: String
    /// 1 to 65535.
    public let port: Int?

    /// - Parameter allowsUnderscores: in names, as machines and containers have them, and the net's hosts don't.
    /// - Returns: `nil` for anything else: an IPv6 address without brackets, an empty port, a user, a path, a blank.
    public init?(_ text: some StringProtocol, allowsUnderscores: Bool = false) {
        let text = String(text)
        let rest: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            self.host = String(text[..<end].dropFirst())
            guard IPAddress(self.host)?.isIPv6 == true else { return nil }
            rest = text[end...].dropFirst()
        } else {
            let name = text.prefix { $0 != ":" }
            guard Self.isName(name, allowsUnderscores) else { return nil }
            self.host = String(name)
            rest = text.dropFirst(name.count)
        }
        guard !rest.isEmpty else {
            self.port = nil
            return
        }
        guard rest.hasPrefix(":"), ASCII.isDigits(rest.dropFirst(), 1...5), let port = Int(rest.dropFirst()),
            (1...65_535).contains(port)
        else { return nil }
        self.port = port
    }

    public var isIPv6: Bool { self.host.contains(":") }

    /// ``host`` as it stands in a URL: an IPv6 address in its brackets.
    public var urlHost: String { Self.urlHost(self.host) }

    /// A host as it stands in a URL.
    ///
    /// - Parameter host: an IPv6 address without its brackets.
    public static func urlHost(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    /// Also with a dot at its end, and numbers in whatever notation.
    private static func isName(_ name: Substring, _ allowsUnderscores: Bool) -> Bool {
        (1...self.nameBytesMax).contains(name.utf8.count) && !name.hasPrefix(".") && !name.hasPrefix("-")
            && !name.contains("..")
            && name.utf8.allSatisfy { HostName.isCharacter($0) || allowsUnderscores && $0 == UInt8(ascii: "_") }
    }
}
