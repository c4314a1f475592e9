//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Administration
import BaseEncoding
public import DialectKit
import HTTPTypes
public import Logging
public import OpenIDConnect
import Payments
import Redaction

/// A provider at which people sign in, and what its word counts for.
public struct OpenIDSignIn: Sendable {
    let provider: OpenIDProvider
    let provesSecondFactor: Bool
    let linksByEmail: Bool

    var name: String { self.provider.settings.name }

    /// - Parameters:
    ///   - provesSecondFactor: whether the provider's sign-in counts for two factors.
    ///   - linksByEmail: whether a proved address finds the person.
    public init(_ provider: OpenIDProvider, provesSecondFactor: Bool, linksByEmail: Bool) {
        self.provider = provider
        self.provesSecondFactor = provesSecondFactor
        self.linksByEmail = linksByEmail
    }
}

/// Sends browsers to OpenID Connect providers, and takes them back: two addresses beside the administration's API, which
/// answer with redirects and carry no JSON.
///
/// What the browser carries meanwhile is in a cookie: SameSite=Lax, because the way back begins at the provider, where a Strict
/// one would stay behind. With TLS it has the prefix `__Host-`, which demands Path=/: a neighbour under the same domain cannot plant
/// one of a sign-in that he has begun (RFC 9700, section 4.7). Without TLS it goes to the way back alone.
public struct OpenIDService: WireService {
    public static let root = "/admin/v1/sign-in/openid"
    private static let portal = "/portal/"

    let people: People
    let site: AdminSite
    let signIns: [OpenIDSignIn]
    let logger: Logger

    public let label = "openid"
    public let pathPrefixes = [Self.root]

    public init(people: People, site: AdminSite, signIns: [OpenIDSignIn], logger: Logger) {
        self.people = people
        self.site = site
        self.signIns = signIns
        self.logger = logger
    }

    public var routes: [WireRoute] {
        [
            WireRoute(method: .get, path: PathPattern("\(Self.root)/{name}"), bodyBytesMax: 0) { _, parameters in
                await self.begin(parameters["name"] ?? "")
            },
            WireRoute(method: .get, path: PathPattern("\(Self.root)/{name}/callback"), bodyBytesMax: 0) {
                request, parameters in
                await self.complete(parameters["name"] ?? "", request)
            },
        ]
    }

    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        WireResponse(status: failure.status, headers: Self.headers).explaining(failure)
    }

    // MARK: - There and back

    private func begin(_ name: String) async -> WireResponse {
        guard let signIn = self.signIns.first(where: { $0.name == name }) else {
            return self.refused("provider_unknown")
        }
        do {
            let (url, pending) = try await signIn.provider.begin()
            let ticket = try self.people.seal(externalSignIn: pending.serialized)
            var response = Self.redirect(to: url)
            response.headers[values: .setCookie] = [
                self.cookie(name, ticket, secondsMax: signIn.provider.settings.signInSeconds)
            ]
            return response
        } catch {
            return self.refused(self.code(of: error, signIn, address: nil))
        }
    }

    private func complete(_ name: String, _ request: WireRequest) async -> WireResponse {
        guard let signIn = self.signIns.first(where: { $0.name == name }) else {
            return self.refused("provider_unknown")
        }
        var cookies = [self.cookie(name, "", secondsMax: 0)]
        var response: WireResponse
        do {
            let pending = try await self.pending(request)
            let person = try await signIn.provider.complete(query: request.query, pending: pending)
            let opened = try await self.open(person, signIn, request)
            cookies.append(SessionCookie(isSecure: self.site.isSecure).header(.set(opened.secret)))
            response = Self.redirect(to: Self.portal)
        } catch {
            response = self.refused(self.code(of: error, signIn, address: request.remoteAddress))
        }
        response.headers[values: .setCookie] = cookies
        return response
    }

    private func open(
        _ person: ExternalPerson, _ signIn: OpenIDSignIn, _ request: WireRequest
    ) async throws -> OpenedSession {
        let proof = ExternalSignIn(
            provider: signIn.name,
            identity: ExternalIdentity(issuer: person.issuer, subject: person.subject),
            verifiedEmail: person.verifiedEmail, linksByEmail: signIn.linksByEmail,
            provesSecondFactor: signIn.provesSecondFactor)
        do {
            return try await self.people.signIn(
                external: proof,
                from: SignInOrigin(address: request.remoteAddress, userAgent: request.headers[.userAgent]))
        } catch ExternalSignInRefusal.personUnknown
            where signIn.linksByEmail && person.hasEmail && person.verifiedEmail == nil
        {
            throw EmailNotVerified()
        }
    }

    /// The provider names an address that it has not proved: anybody could have named it.
    private struct EmailNotVerified: Error {}

    /// What the portal is given as the reason. The log has more words, and the same lack of data.
    private func code(of error: any Error, _ signIn: OpenIDSignIn, address: String?) -> String {
        let code: String
        switch error {
        case let failure as OpenIDFailure:
            code = failure.code.rawValue
            self.logger.notice(
                "sign-in at a provider failed",
                metadata: [
                    "provider": "\(signIn.name)", "code": "\(code)", "address": "\(address ?? "unknown")",
                    "reason": "\(failure.explanation)",
                ])
        // The administration has logged it.
        case let refusal as ExternalSignInRefusal: code = refusal.rawValue
        case is EmailNotVerified: code = "email_not_verified"
        default:
            code = "internal_error"
            // Its text might carry data.
            self.logger.error(
                "sign-in at a provider failed",
                metadata: ["provider": "\(signIn.name)", "error": "\(type(of: error))"])
        }
        return code
    }

    // MARK: - Headers

    private var cookieName: String { self.site.isSecure ? "__Host-pomona_openid" : "pomona_openid" }

    private func cookie(_ provider: String, _ value: String, secondsMax: Int64) -> String {
        let place = self.site.isSecure ? "Path=/; Secure" : "Path=\(Self.root)/\(provider)/callback"
        return "\(self.cookieName)=\(value); \(place); HttpOnly; SameSite=Lax; Max-Age=\(secondsMax)"
    }

    /// What the browser has carried. Of two cookies of the name one would not be of this server's making.
    private func pending(_ request: WireRequest) async throws -> PendingSignIn? {
        let values = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { part in
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return pair.count == 2 && pair[0] == self.cookieName ? pair[1] : nil
        }
        guard values.count == 1, let value = values.first,
            let ticket = try await self.people.open(externalSignIn: String(value))
        else { return nil }
        return PendingSignIn(serialized: ticket)
    }

    private func refused(_ code: String) -> WireResponse {
        Self.redirect(to: "\(Self.portal)?refused=\(PercentCoding.encoded(code))")
    }

    private static func redirect(to url: String) -> WireResponse {
        var response = WireResponse(status: .found, headers: self.headers)
        response.headers[.location] = url
        return response
    }

    /// The address holds a code and a state: no cache keeps it, and no page that follows learns of it.
    private static let headers: HTTPFields = {
        var fields: HTTPFields = [
            .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
        ]
        if let policy = HTTPField.Name("Referrer-Policy") { fields[policy] = "no-referrer" }
        return fields
    }()
}
