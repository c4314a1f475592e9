//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Foundation
import Redaction
import StrictJSON
import Time

/// A provider at which people sign in: the authorization code flow of OpenID Connect Core 1.0 (section 3.1) with PKCE
/// (RFC 7636), as RFC 9700 asks for it.
///
/// Each provider has a way back of its own, which together with the `iss` of RFC 9207 keeps an answer of one from being
/// taken for another's (RFC 9700, section 4.4).
public final class OpenIDProvider: Sendable {
    public let settings: OpenIDProviderSettings
    private let surroundings: OpenIDSurroundings
    private let http: ProviderHTTP
    private let used = UsedStates()
    private let document: FreshValue<ProviderDocument>
    private let keys: FreshValue<ProviderKeys>

    /// - Throws: what is wrong with the authorities' certificates.
    public init(_ settings: OpenIDProviderSettings, _ surroundings: OpenIDSurroundings) throws {
        self.settings = settings
        self.surroundings = surroundings
        self.http = try ProviderHTTP(settings, sleep: surroundings.sleep)
        self.document = FreshValue(
            keptSeconds: settings.keptSeconds, pauseSeconds: settings.pauseSeconds, clock: surroundings.clock)
        self.keys = FreshValue(
            keptSeconds: settings.keptSeconds, pauseSeconds: settings.pauseSeconds, clock: surroundings.clock)
    }

    // MARK: - There

    /// Begins a sign-in.
    ///
    /// - Returns: where the browser goes, and what it carries, sealed, to bring it back.
    public func begin() async throws(OpenIDFailure) -> (url: String, pending: PendingSignIn) {
        let document = try await self.currentDocument()
        let pending = PendingSignIn(
            provider: self.settings.name, state: self.makeSecret(), nonce: self.makeSecret(),
            verifier: self.makeSecret(), endsAt: self.surroundings.clock().adding(seconds: self.settings.signInSeconds))
        let challenge = SHA256.hash(data: Data(pending.verifier.reveal().utf8))
        let parameters = Self.form([
            ("response_type", "code"), ("client_id", self.settings.clientID),
            ("redirect_uri", self.settings.redirectURL),
            ("scope", self.settings.asksEmail ? "openid email" : "openid"), ("state", pending.state.reveal()),
            ("nonce", pending.nonce.reveal()), ("code_challenge", Base64URL.encode(Array(challenge))),
            ("code_challenge_method", "S256"),
        ])
        let endpoint = document.authorizationEndpoint.text
        return ("\(endpoint)\(endpoint.contains("?") ? "&" : "?")\(parameters)", pending)
    }

    // MARK: - And back

    /// Takes the way back, once.
    ///
    /// - Parameters:
    ///   - query: what the provider has put into the address, as it was written.
    ///   - pending: what the browser has carried; `nil` where it has none that this gateway has sealed.
    public func complete(
        query: String?, pending: PendingSignIn?
    ) async throws(OpenIDFailure) -> ExternalPerson {
        let parameters = try CallbackParameters(query: query)
        guard let state = parameters.state else { throw parameters.failure }
        guard let pending else { throw OpenIDFailure(.stateMissing) }
        // The comparison takes as long wherever the two differ.
        guard pending.provider == self.settings.name, pending.state.matches(state) else {
            throw OpenIDFailure(.stateWrong)
        }
        let now = self.surroundings.clock()
        guard now < pending.endsAt else { throw OpenIDFailure(.stateExpired) }
        guard self.used.use(pending, at: now) else { throw OpenIDFailure(.stateUsed) }
        let document = try await self.currentDocument()
        // RFC 9207, section 2.4: before anything of the answer is used.
        guard parameters.issuer.map({ $0.isExactly(document.issuer) }) ?? !document.namesIssuer else {
            throw OpenIDFailure(.issuerWrong)
        }
        guard let code = parameters.code else { throw parameters.failure }
        let answer = try await self.redeem(code, pending, document)
        guard let text = answer["id_token"]?.string else { throw OpenIDFailure(.tokenMissing) }
        let claims = try await self.verified(Redacted(text), pending, document)
        return try await self.person(claims, answer, document)
    }

    /// OpenID Connect Core 1.0, section 3.1.3.1.
    private func redeem(
        _ code: Redacted<String>, _ pending: PendingSignIn, _ document: ProviderDocument
    ) async throws(OpenIDFailure) -> JSONObject {
        var fields = [
            ("grant_type", "authorization_code"), ("code", code.reveal()), ("redirect_uri", self.settings.redirectURL),
            ("code_verifier", pending.verifier.reveal()),
        ]
        var authorization: String?
        let secret = self.settings.clientSecret?.reveal() ?? ""
        switch try document.authentication(of: self.settings) {
        case .basic:
            // RFC 6749, section 2.3.1: both are form-encoded first.
            let pair = "\(PercentCoding.encoded(self.settings.clientID)):\(PercentCoding.encoded(secret))"
            authorization = "Basic \(Base64.encode(Array(pair.utf8)))"
        case .post: fields += [("client_id", self.settings.clientID), ("client_secret", secret)]
        case .none: fields += [("client_id", self.settings.clientID)]
        }
        let answer = try await self.http.post(
            Self.form(fields), to: document.tokenEndpoint, authorization: authorization)
        switch (answer.status, answer.json?.object) {
        case (200, let object?): return object
        case (200, nil): throw OpenIDFailure(.providerAnswerUnreadable)
        case (401, _): throw OpenIDFailure(.clientRefused)
        case (400, let object?):
            // RFC 6749, section 5.2.
            let error = object["error"]?.string
            throw OpenIDFailure(
                ["invalid_client", "unauthorized_client"].contains(error) ? .clientRefused : .codeRefused)
        default: throw OpenIDFailure(.providerRefused)
        }
    }

    /// The claims of an ID token in which everything is as it should be.
    private func verified(
        _ text: Redacted<String>, _ pending: PendingSignIn, _ document: ProviderDocument
    ) async throws(OpenIDFailure) -> JSONObject {
        let token = try IDToken(text, allowed: document.algorithms)
        var key = try await self.currentKeys(document, isWanting: false).key(token.keyID, token.algorithm)
        // Section 10.1.1: a provider that has changed its keys signs with one that is not known yet.
        if key.map({ token.keyID == nil && !token.isSigned(by: $0) }) ?? true {
            key = try await self.currentKeys(document, isWanting: true).key(token.keyID, token.algorithm)
        }
        guard let key else { throw OpenIDFailure(.tokenKeyUnknown) }
        guard token.isSigned(by: key) else { throw OpenIDFailure(.tokenSignatureWrong) }
        let checks = IDTokenClaims(
            issuer: document.issuer, clientID: self.settings.clientID, nonce: pending.nonce.reveal(),
            now: self.surroundings.clock(), skewSeconds: self.settings.clockSkewSeconds,
            ageSecondsMax: self.settings.signInSeconds)
        _ = try checks.subject(of: token.claims)
        return token.claims
    }

    private func person(
        _ claims: JSONObject, _ answer: JSONObject, _ document: ProviderDocument
    ) async throws(OpenIDFailure) -> ExternalPerson {
        let subject = claims["sub"]?.string ?? ""
        var said = claims
        // Section 5.4: what a scope asks for may be had at the UserInfo endpoint alone.
        if self.settings.asksEmail, claims["email"] == nil, let endpoint = document.userInfoEndpoint,
            let accessToken = answer["access_token"]?.string, Self.isBearerToken(accessToken)
        {
            let info = try await self.http.document(at: endpoint, bearer: accessToken).json?.object ?? JSONObject()
            // Section 5.3.2.
            guard info["sub"]?.string?.isExactly(subject) == true else { throw OpenIDFailure(.userInfoOfAnother) }
            said = info
        }
        let email = self.settings.asksEmail ? said["email"]?.string : nil
        return ExternalPerson(
            issuer: document.issuer, subject: subject,
            // Section 5.1: a boolean. A text is none.
            verifiedEmail: said["email_verified"]?.bool == true ? email : nil, hasEmail: email != nil)
    }

    // MARK: - What the provider says of itself

    private func currentDocument() async throws(OpenIDFailure) -> ProviderDocument {
        try await self.document.value { [http, settings] () async throws(OpenIDFailure) in
            try await Self.document(settings, http).document
        }
    }

    private static func document(
        _ settings: OpenIDProviderSettings, _ http: ProviderHTTP
    ) async throws(OpenIDFailure) -> (document: ProviderDocument, date: String?) {
        // Discovery 1.0, section 4.1.
        let base = settings.issuer.hasSuffix("/") ? String(settings.issuer.dropLast()) : settings.issuer
        guard let url = ProviderURL("\(base)/.well-known/openid-configuration"), url.isProtected else {
            throw OpenIDFailure(.endpointNotProtected)
        }
        let answer = try await http.document(at: url)
        guard let json = answer.json else { throw OpenIDFailure(.providerAnswerUnreadable) }
        return (try ProviderDocument(json, issuer: settings.issuer), answer.date)
    }

    private func currentKeys(_ document: ProviderDocument, isWanting: Bool) async throws(OpenIDFailure) -> ProviderKeys
    {
        try await self.keys.value(isWanting: isWanting) { [http] () async throws(OpenIDFailure) in
            try await Self.keys(document, http)
        }
    }

    private static func keys(
        _ document: ProviderDocument, _ http: ProviderHTTP
    ) async throws(OpenIDFailure) -> ProviderKeys {
        let answer = try await http.document(at: document.keysEndpoint)
        guard let json = answer.json else { throw OpenIDFailure(.providerAnswerUnreadable) }
        return try await ProviderKeys(json)
    }

    /// Asks the provider anew for all that sign-in needs of it.
    ///
    /// - Returns: how the provider's clock has it, as it wrote it (RFC 9110, section 6.6.1); `nil` where it does not say.
    public func examine() async throws(OpenIDFailure) -> String? {
        let (document, date) = try await Self.document(self.settings, self.http)
        _ = try document.authentication(of: self.settings)
        let keys = try await Self.keys(document, self.http)
        guard keys.keys.contains(where: { document.algorithms.contains($0.algorithm) }) else {
            throw OpenIDFailure(.tokenKeyUnknown)
        }
        return date
    }

    // MARK: - Texts

    /// 256 random bits as 43 characters, which is also a code verifier's form (RFC 7636, section 4.1).
    private func makeSecret() -> String { Base64URL.encode(self.surroundings.random(32)) }

    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0.0)=\(PercentCoding.encoded($0.1))" }.joined(separator: "&")
    }

    /// RFC 6750, section 2.1. Anything else could end the header.
    private static func isBearerToken(_ text: String) -> Bool {
        (1...8192).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
