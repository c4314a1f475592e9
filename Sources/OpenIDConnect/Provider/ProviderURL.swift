//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hosts

/// An address that a provider has, or is reached at: https, or http on this machine, where nobody is in between.
///
/// Read by hand, because lenient readers of URLs disagree about where a host ends.
public struct ProviderURL: Hashable, Sendable {
    public let text: String
    public let host: String
    let isHTTPS: Bool

    static let bytesMax = 2048

    /// - Returns: `nil` for anything but visible ASCII, another scheme, a user, or a fragment.
    init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains("#"), !text.contains("\\")
        else { return nil }
        let scheme = ["https://", "http://"].first { text.hasPrefix($0) }
        guard let scheme else { return nil }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        guard let place = HostAndPort(authority) else { return nil }
        self.text = text
        self.host = place.urlHost.lowercased()
        self.isHTTPS = scheme == "https://"
    }

    /// Whether what is sent there is read by nobody else. RFC 8252, section 8.3, names addresses alone; a name of this
    /// machine's is the operator's own to configure.
    var isProtected: Bool { self.isHTTPS || LoopbackHost.isURLHost(self.host) }

    /// Whether it may be an issuer's: a name in the form of an address, without a query (OpenID Connect Discovery 1.0,
    /// section 2), and one that is reached safely.
    public static func isIssuer(_ text: String) -> Bool {
        guard let url = ProviderURL(text), url.isProtected else { return false }
        return !text.contains("?")
    }
}
