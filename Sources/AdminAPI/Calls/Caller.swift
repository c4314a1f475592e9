//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Crypto
import DialectKit
import Foundation
import HTTPTypes
import Money
import Payments
import Redaction
import Time

/// Who calls, and what that one may do.
struct Caller: Sendable {
    /// The token's or the session's id.
    let holder: String
    /// For the audit log: "token deploy from 192.0.2.7", "alice from 192.0.2.7".
    let actor: String
    let access: Access
    /// Under what answers are sealed that may be given again: from the secret that only the caller has.
    let sealingKey: SymmetricKey
    /// Who is signed in, or about to be, and by which session; `nil` for a token.
    private(set) var signedIn: SignedIn?
    /// What a machine shows; `nil` for a person.
    private(set) var token: AccessToken?
    /// Of the browser's session, where it shows one.
    private(set) var sessionSecret: Redacted<String>?

    /// The person's or the token's, for the log; `nil` for a stranger.
    var id: String? { self.person?.id.text ?? self.token?.id.text }

    var person: Person? { self.signedIn?.person }
    var session: PersonSession? { self.signedIn?.session }

    private init(holder: String, actor: String, access: Access, secret: Redacted<String>, from request: WireRequest) {
        self.holder = holder
        self.actor = actor + (request.remoteAddress.map { " from \($0)" } ?? "")
        self.access = access
        self.sealingKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(secret.reveal().utf8)), salt: Data(holder.utf8),
            info: Data("pomona admin answer 1".utf8), outputByteCount: 32)
    }

    init(_ token: AccessToken, _ access: Access, secret: Redacted<String>, from request: WireRequest) {
        self.init(
            holder: token.id.text, actor: "token \(token.name)", access: access, secret: secret, from: request)
        self.token = token
    }

    /// Somebody at the machine itself.
    init(operatorNamed name: String) {
        self.init(
            holder: "", actor: name, access: Access(.owner), secret: Redacted(""),
            from: WireRequest(method: .get, path: "/"))
    }

    /// A person, who may do nothing before the sign-in is complete.
    init(_ signedIn: SignedIn, secret: Redacted<String>, from request: WireRequest) {
        let isComplete = signedIn.session.stage == .open
        self.init(
            holder: signedIn.session.id.text, actor: signedIn.person.userName,
            access: isComplete ? signedIn.access : Access(scopes: []), secret: secret, from: request)
        self.signedIn = signedIn
        self.sessionSecret = secret
    }

    /// Somebody who has proven nothing.
    ///
    /// - Parameter secret: of the session that the browser shows, if any; not looked at.
    init(strangerFrom request: WireRequest, secret: Redacted<String>?) {
        // No stranger's answer is kept.
        self.init(
            holder: "", actor: "sign-in", access: Access(scopes: []), secret: secret ?? Redacted(""), from: request)
        self.sessionSecret = secret
    }
}

/// Finds out who calls, and slows those down who guess.
struct CallerDesk: Sendable {
    let administration: Administration
    let people: People
    let site: AdminSite
    let limits: CallerLimits

    /// Who calls: by a token or by a session, and never by both, of which one might be somebody else's.
    ///
    /// - Throws: ``Problem`` `unauthorized`, `too_many_attempts`, `credentials_ambiguous`, `session_ended`,
    ///   `sign_in_incomplete`, `person_needed`, and those of ``PortalRule``; `StoreError`.
    func caller(of request: WireRequest, for audience: Endpoint.Audience) async throws -> Caller {
        let cookie = self.site.cookie
        let showsToken = request.headers[.authorization] != nil
        if case .anybody = audience { return Caller(strangerFrom: request, secret: nil) }
        guard !showsToken || !cookie.isIn(request) else {
            throw Problem(
                .credentialsAmbiguous, "Show a token or a session, not both.")
        }
        switch audience {
        case .anybody, .portal:
            try PortalRule.check(request, self.site)
            return Caller(strangerFrom: request, secret: cookie.secret(in: request))
        case .signingIn, .person:
            guard !showsToken else { throw Problem.personNeeded }
            return try await self.person(of: request, mayBeIncomplete: audience == .signingIn)
        case .scope:
            let isOfPortal = cookie.isIn(request) || request.headers[.pomonaPortal] != nil
            return showsToken || !isOfPortal
                ? try await self.token(of: request) : try await self.person(of: request, mayBeIncomplete: false)
        }
    }

    private func token(of request: WireRequest) async throws -> Caller {
        guard let secret = Self.bearer(request.headers[.authorization]) else { throw Problem.unauthorized }
        // The token is itself the guess, so that all of an address' guesses count together.
        let attempt = self.limits.attempt(
            DialectName("admin"), account: "tokens", credential: secret.reveal(), from: request)
        if let seconds = attempt.waitSeconds {
            var problem = Problem(
                .tooManyAttempts, "Too many wrong tokens came from this address. Wait, then try again.")
            problem.headers[.retryAfter] = "\(seconds)"
            throw problem
        }
        guard let (token, access) = try await self.administration.authenticate(accessToken: secret) else {
            attempt.failed()
            throw Problem.unauthorized
        }
        attempt.succeeded()
        return Caller(token, access, secret: secret, from: request)
    }

    private func person(of request: WireRequest, mayBeIncomplete: Bool) async throws -> Caller {
        try PortalRule.check(request, self.site)
        // To ask how long a session still runs is no use of it, nor is what a page asks for by itself.
        let isQuestion = mayBeIncomplete && [.get, .head].contains(request.method)
        let isUse = request.headers[.pomonaBackground] == nil && !isQuestion
        guard let secret = self.site.cookie.secret(in: request),
            let signedIn = try await self.people.signIn(under: secret, isUse: isUse)
        else { throw Problem(SignInRefusal.sessionEnded) }
        guard mayBeIncomplete || signedIn.session.stage == .open else { throw Problem.signInIncomplete }
        return Caller(signedIn, secret: secret, from: request)
    }

    /// RFC 6750, section 2.1.
    private static func bearer(_ header: String?) -> Redacted<String>? {
        guard let header, header.utf8.count <= 512 else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer", !parts[1].isEmpty else { return nil }
        return Redacted(String(parts[1]))
    }
}
