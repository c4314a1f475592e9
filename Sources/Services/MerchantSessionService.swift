//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
public import DialectKit
public import Gateway
import HTTPTypes
import Payments
import Redaction
import StrictJSON

/// Begins merchant sessions for the pages of shops whose dialect has no call for it: CommWeb, AlphaPay and Radial.
///
/// Whoever asks shows nothing secret: a page has nothing to hide, and a session is good for one sheet on the one domain
/// that Apple has signed into it, for five minutes. So it is given for domains alone that the operator has registered
/// for the merchant (`pomona domain add`), to pages of that domain and to servers, and only so often to one address.
public struct MerchantSessionService: WireService {
    static let path = "/apple-pay/merchant-session"
    /// A validation URL has at most 2048 characters.
    private static let bodyBytesMax = 8 * 1024
    private static let jsonLimits = JSONLimits.ofRequest(
        bytesMax: MerchantSessionService.bodyBytesMax, depthMax: 4, valuesMax: 32)

    public static let name = "merchant-session"

    public let label = MerchantSessionService.name
    public let pathPrefixes = [Self.path]
    public let routes: [WireRoute]

    public init(gateway: Gateway, limits: CallerLimits) {
        let desk = SessionDesk(gateway: gateway, limits: limits)
        self.routes = [
            WireRoute(method: .post, path: PathPattern(Self.path), bodyBytesMax: Self.bodyBytesMax) { request, _ in
                do throws(SessionRefusal) {
                    try desk.take(request)
                    let session = try await desk.session(try Self.read(request))
                    return Self.response(.ok, session.reveal())
                } catch {
                    return Self.response(error)
                }
            },
            // What a browser asks before it sends a page's call to another origin (Fetch, section 4.8).
            WireRoute(method: .options, path: PathPattern(Self.path), bodyBytesMax: 0) { _, _ in
                Self.response(.noContent, [])
            },
        ]
    }

    private static func read(_ request: WireRequest) throws(SessionRefusal) -> SessionAsk {
        guard let json = try? JSON.parse(request.body, limits: self.jsonLimits) else {
            throw SessionRefusal(.requestMalformed, "The body must be a JSON object.")
        }
        do throws(FieldError) {
            return try SessionAsk(RequestObject(json), origin: request.headers[.origin])
        } catch {
            throw SessionRefusal(.requestMalformed, "\(error.description).")
        }
    }

    // MARK: - Answers

    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        var response = Self.response(SessionRefusal(failure))
        if case .methodNotAllowed(let allowed) = failure {
            response.headers[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
        }
        return response
    }

    private static func response(_ refusal: SessionRefusal) -> WireResponse {
        var error = JSONObject()
        error["code"] = .string(refusal.code.rawValue)
        error["message"] = .string(refusal.message)
        error["reason"] = refusal.reason.map { .string($0) }
        let body: JSON = ["error": .object(error)]
        var response = self.response(refusal.code.status, body.serialized())
        response.headers[.retryAfter] = refusal.retryAfterSeconds.map { String($0) }
        return response.refused(as: WireRefusal(refusal.code, of: SessionOperation.merchantSession))
    }

    /// Pages of any origin may read the answer: no cookie is ever looked at, and the origin itself is what is checked.
    private static func response(_ status: HTTPResponse.Status, _ body: [UInt8]) -> WireResponse {
        var headers: HTTPFields = [
            .cacheControl: "no-store", .accessControlAllowOrigin: "*", .accessControlAllowMethods: "POST",
            .accessControlAllowHeaders: "content-type", .accessControlMaxAge: "600", .xContentTypeOptions: "nosniff",
        ]
        if !body.isEmpty { headers[.contentType] = "application/json; charset=utf-8" }
        return WireResponse(status: status, headers: headers, body: body)
    }
}

private enum SessionOperation: String, CaseIterable {
    case merchantSession = "merchant-session"
}

/// What a page or a server asks for.
struct SessionAsk: Sendable {
    let dialect: String
    /// What the dialect calls the account: Merchant-Code, merchant id, portalid, store id, app id.
    let account: String
    let domain: WellKnownHost
    let merchantIdentifier: String?
    let displayName: String?
    let validationURL: String?

    init(_ body: RequestObject, origin: String?) throws(FieldError) {
        self.dialect = try body.string("dialect", charactersMax: 32)
        self.account = try body.string("account", charactersMax: 64)
        self.merchantIdentifier = try body.optionalString("merchantIdentifier", charactersMax: 255)
        self.displayName = try body.optionalString("displayName", charactersMax: 64)
        self.validationURL = try body.optionalString("validationURL", charactersMax: 2048)
        let named = try body.optionalString("domainName", charactersMax: 253)
        // A browser says by itself which page asks (RFC 6454, section 7), and a page cannot change that.
        let page = origin.map { Self.host(ofOrigin: $0) }
        guard let domain = named.map({ WellKnownHost($0) }) ?? page ?? nil else {
            throw body.error("domainName", "must be the page's host name, where no Origin names it")
        }
        guard page == nil || page == domain else {
            throw body.error("domainName", "must be the host of the page that asks")
        }
        self.domain = domain
    }

    /// "https://shop.example.com:8443" as its host; `nil` for "null" and whatever is none of the web's.
    private static func host(ofOrigin origin: String) -> WellKnownHost? {
        for scheme in ["https://", "http://"] where origin.hasPrefix(scheme) {
            return WellKnownHost(authority: String(origin.dropFirst(scheme.count)))
        }
        return nil
    }
}

/// Decides who gets a session.
private struct SessionDesk: Sendable {
    let gateway: Gateway
    let limits: CallerLimits

    func take(_ request: WireRequest) throws(SessionRefusal) {
        if let seconds = self.limits.takeSession(from: request) { throw SessionRefusal(waiting: seconds) }
    }

    func session(_ ask: SessionAsk) async throws(SessionRefusal) -> Redacted<[UInt8]> {
        let account: MerchantContext
        do throws(GatewayRefusal) {
            account = try await self.account(ask)
        } catch {
            throw SessionRefusal(error)
        }
        if let seconds = self.limits.takeSession(of: account) { throw SessionRefusal(waiting: seconds) }
        do throws(GatewayRefusal) {
            return try await self.gateway.merchantSession(
                MerchantSessionCommand(
                    merchant: account, merchantIdentifier: ask.merchantIdentifier, domainName: ask.domain.name,
                    displayName: ask.displayName, validationURL: ask.validationURL))
        } catch {
            throw SessionRefusal(error)
        }
    }

    /// Whether there is such an account is nobody's business who knows no domain of it.
    private func account(_ ask: SessionAsk) async throws(GatewayRefusal) -> MerchantContext {
        guard let account = try await self.gateway.account(dialect: DialectName(ask.dialect), key: ask.account) else {
            throw .merchantSessionFailed(.domainNotRegistered)
        }
        try await self.gateway.checkRegistration(ofPageAt: ask.domain.name, for: account.merchant)
        return account
    }
}

/// Why there is no session.
struct SessionRefusal: Error, Hashable, Sendable {
    enum Code: String, CaseIterable, Hashable, Sendable {
        case requestMalformed = "request_malformed"
        case notRegistered = "not_registered"
        case tooManyRequests = "too_many_requests"
        case identityMissing = "identity_missing"
        case sessionFailed = "session_failed"
        case unavailable = "unavailable"
        case notFound = "not_found"
        case methodNotAllowed = "method_not_allowed"
        case bodyTooLarge = "body_too_large"
        case bodyIncomplete = "body_incomplete"
        case timedOut = "timed_out"

        var status: HTTPResponse.Status {
            switch self {
            case .requestMalformed: .badRequest
            case .notRegistered: .forbidden
            case .tooManyRequests: .tooManyRequests
            case .identityMissing: .conflict
            case .sessionFailed: .badGateway
            case .unavailable: .serviceUnavailable
            case .notFound: .notFound
            case .methodNotAllowed: .methodNotAllowed
            case .bodyTooLarge: .contentTooLarge
            case .bodyIncomplete: .requestTimeout
            case .timedOut: .gatewayTimeout
            }
        }

        var message: String {
            switch self {
            case .requestMalformed: "The request is not as it should be."
            case .notRegistered:
                "There is no such account, or the domain is not registered for its merchant: pomona domain add"
            case .tooManyRequests:
                "There are too many requests from this address or for this merchant. Wait as long as Retry-After says."
            case .identityMissing: "The merchant has no Merchant Identity Certificate in use."
            case .sessionFailed: "Apple gave no session."
            case .unavailable: "The gateway cannot answer now. Ask again in a moment."
            case .notFound: "There is nothing under this path."
            case .methodNotAllowed: "This path takes POST."
            case .bodyTooLarge: "The body is too long."
            case .bodyIncomplete: "The body did not arrive in full."
            case .timedOut: "It took too long. Ask again."
            }
        }
    }

    let code: Code
    let message: String
    /// A word of `MerchantSessionFailure`.
    var reason: String?
    var retryAfterSeconds: Int?

    init(_ code: Code, _ message: String? = nil) {
        self.code = code
        self.message = message ?? code.message
    }

    init(waiting seconds: Int) {
        self.init(.tooManyRequests)
        self.retryAfterSeconds = seconds
    }

    init(_ refusal: GatewayRefusal) {
        CallNotes.note(refusal)
        switch refusal {
        case .merchantSessionFailed(.domainNotRegistered): self.init(.notRegistered)
        case .merchantSessionFailed(let failure):
            self.init(.sessionFailed, failure.explanation)
            self.reason = failure.rawValue
        case .merchantIdentityMissing: self.init(.identityMissing)
        default: self.init(.unavailable)
        }
    }

    init(_ failure: WireFailure) {
        switch failure {
        case .pathUnknown: self.init(.notFound)
        case .methodNotAllowed: self.init(.methodNotAllowed)
        case .bodyTooLarge: self.init(.bodyTooLarge)
        case .bodyIncomplete: self.init(.bodyIncomplete)
        case .timedOut: self.init(.timedOut)
        case .overloaded: self.init(.unavailable)
        }
    }
}
