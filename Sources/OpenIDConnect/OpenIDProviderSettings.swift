//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Redaction
public import Time

/// An OpenID Connect provider at which people sign in, and how patiently it is asked.
public struct OpenIDProviderSettings: Sendable {
    /// How the client proves itself at the token endpoint (OpenID Connect Core 1.0, section 9).
    public enum ClientAuthentication: String, Hashable, Sendable, CaseIterable {
        case basic = "client_secret_basic"
        case post = "client_secret_post"
        /// A client without a secret: PKCE alone.
        case none
    }

    /// In addresses: "google".
    public var name: String
    /// Exactly as the provider's own documents have it: "https://accounts.example".
    public var issuer: String
    public var clientID: String
    /// `nil` for a client that has none.
    public var clientSecret: Redacted<String>?
    /// `nil` for the first that the provider supports, of those for which there is what they need.
    public var authentication: ClientAuthentication?
    /// Where the browser comes back, as the provider has it registered.
    public var redirectURL: String
    /// Whether the person's e-mail address is asked for.
    public var asksEmail = false
    /// The authorities of the provider's certificate, PEM; `nil` takes the system's.
    public var authoritiesPEM: String?

    /// For each request, to the last byte of its answer.
    public var timeoutMilliseconds: Int64 = 8_000
    public var answerBytesMax = 256 * 1024
    /// How long a browser may be at the provider.
    public var signInSeconds: Int64 = 600
    /// How far the provider's clock may be off.
    public var clockSkewSeconds: Int64 = 60
    /// How long what the provider says of itself, and its keys, are kept.
    public var keptSeconds: Int64 = 3600
    /// How long nothing is asked for again that has failed, or that was asked for because of a key that is not known.
    public var pauseSeconds: Int64 = 30

    public init(
        name: String, issuer: String, clientID: String, clientSecret: Redacted<String>? = nil, redirectURL: String
    ) {
        self.name = name
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURL = redirectURL
    }
}

/// What a provider's client takes from the machine.
public struct OpenIDSurroundings: Sendable {
    public var clock: @Sendable () -> Timestamp
    /// That many bytes of a cryptographically secure source.
    public var random: @Sendable (Int) -> [UInt8]
    public var sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    public init(
        clock: @escaping @Sendable () -> Timestamp, random: @escaping @Sendable (Int) -> [UInt8],
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
    ) {
        self.clock = clock
        self.random = random
        self.sleep = sleep
    }
}
