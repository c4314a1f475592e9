//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import HTTPTypes
import Hosts
public import Payments

/// The administration as browsers come to it.
public struct AdminSite: Hashable, Sendable {
    /// What the sign-in says of itself.
    public let mode: Mode
    /// Of the program.
    public let version: String
    /// Whether browsers come with TLS. Without it they can come from this machine alone.
    public let isSecure: Bool
    /// Where people may sign in elsewhere, in the order in which it is offered.
    public let providers: [SignInProvider]
    /// "https://admin.example": what browsers call it where a proxy stands before it; `nil` where they call it by the
    /// name that their requests say.
    private let url: String?

    /// - Parameters:
    ///   - hasTLS: whether the listener itself has TLS.
    ///   - url: what browsers call it, scheme and host, with the port if it is not the scheme's own; `nil` where there is
    ///     nothing between.
    public init(
        mode: Mode, version: String, hasTLS: Bool, url: String? = nil, providers: [SignInProvider] = []
    ) {
        self.mode = mode
        self.version = version
        self.url = url.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }.map { $0.lowercased() }
        self.isSecure = self.url.map { $0.hasPrefix("https://") } ?? hasTLS
        self.providers = providers
    }

    /// The origin of this administration's own pages (RFC 6454), by what a request says.
    ///
    /// - Returns: `nil` for a name that is not this administration's. Somebody else's name may resolve to this machine, and
    ///   his page is then of one origin with whatever answers here (DNS rebinding). With TLS the certificate says that; a
    ///   listener without TLS is for this machine alone, and goes by its names only.
    public func origin(of request: WireRequest) -> String? {
        if let url = self.url { return url }
        guard let named = request.authority, HostAndPort(named, allowsUnderscores: true) != nil else { return nil }
        let authority = named.lowercased()
        guard !self.isSecure else { return "https://\(authority)" }
        return LoopbackHost.isAuthority(authority) ? "http://\(authority)" : nil
    }

    var cookie: SessionCookie { SessionCookie(isSecure: self.isSecure) }
}

/// Somebody who says who people are (OpenID Connect).
public struct SignInProvider: Hashable, Sendable {
    /// As paths name it: "company".
    public let name: String
    /// As people are shown it: "Company login".
    public let label: String
    /// What it is called in the identities that it proves: "https://login.example".
    public let issuer: String

    public init(name: String, label: String, issuer: String) {
        self.name = name
        self.label = label
        self.issuer = issuer
    }
}
