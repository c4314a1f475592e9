//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// This machine, as a host is written that leads to it: "localhost" (RFC 6761, section 6.3), 127.0.0.1 (RFC 1122,
/// section 3.2.1.3) and ::1 (RFC 4291, section 2.5.3).
///
/// Only as they are always written, in lower case, and of 127.0.0.0/8 this one alone: what may go without TLS must stay
/// on this machine for certain, and readers disagree about other spellings ("127.1", "0177.0.0.1", "localhost.").
public enum LoopbackHost {
    /// As it stands by itself, such as in an address to listen on: an IPv6 address without brackets.
    public static func isHost(_ host: String) -> Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }

    /// As it stands in a URL: an IPv6 address in its brackets (RFC 3986, section 3.2.2).
    public static func isURLHost(_ host: String) -> Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

    /// The same, perhaps with a port, as a request says whom it is for (RFC 9110, section 7.2).
    public static func isAuthority(_ authority: String) -> Bool {
        HostAndPort(authority).map { self.isHost($0.host) } ?? false
    }
}
