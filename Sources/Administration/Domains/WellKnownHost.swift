//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hosts

/// A host name in lower case, without port: letters, digits, hyphens and dots (RFC 1123, section 2.1).
public struct WellKnownHost: Hashable, Sendable {
    public let name: String

    public init?(_ text: String) {
        guard HostName.isName(text) else { return nil }
        self.name = text.lowercased()
    }

    /// The host of a request: "shop.example.com:443".
    public init?(authority: String) {
        guard let place = HostAndPort(authority) else { return nil }
        self.init(place.host)
    }
}
