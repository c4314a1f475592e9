//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Hosts

/// The address of a notification, taken apart: an absolute http or https URL (RFC 3986) with a host and without user
/// information.
///
/// Stricter than the RFC where servers differ in what they make of an address: the host is a name of letters, digits,
/// hyphens and dots, or an IP address; international names must be written in their ASCII form (RFC 5891).
public struct NotificationTarget: Hashable, Sendable {
    public let isSecure: Bool
    /// Lower-case. An IPv6 address stands here without brackets.
    public let host: String
    public let port: Int
    /// Percent-encoded as it was written; "/" if it was empty.
    public let path: String
    /// What follows the question mark.
    public let query: String?

    /// - Returns: `nil` for anything but such a URL.
    public init?(_ text: String) {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ ASCII.isVisible($0) && $0 != 0x5C }) else {
            return nil
        }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme == "https" || scheme == "http" else { return nil }
        let afterScheme = text.dropFirst(scheme.count)
        guard afterScheme.hasPrefix("://"), !text.contains("#") else { return nil }
        let rest = afterScheme.dropFirst(3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let place = HostAndPort(authority) else { return nil }
        let pathAndQuery = rest.dropFirst(authority.count).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = pathAndQuery.first.map(String.init) ?? ""
        self.isSecure = scheme == "https"
        self.host = place.host.lowercased()
        self.port = place.port ?? (scheme == "https" ? 443 : 80)
        self.path = path.isEmpty ? "/" : path
        self.query = pathAndQuery.count == 2 ? String(pathAndQuery[1]) : nil
    }
}
