//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
import HTTPTypes
public import Payments

/// The wire language of CommWeb, which is the Mastercard Payment Gateway: REST with JSON, and the same operations as
/// names and values (NVP).
///
/// docs/dialects/commweb.md says what is the vendor's and what is this gateway's choice.
public struct CommWeb: Dialect {
    public static let dialectName = DialectName("commweb")

    /// A transaction is known by its order's id and its own, which are also the key of its calls.
    public static let namingClaims: Set<String> = [TransactionName.referenceKind]

    /// No request of this dialect is larger; an Apple Pay token has 4 to 8 KiB.
    static let bodyBytesMax = 64 * 1024

    public private(set) var routes: [WireRoute] = []
    let gateway: Gateway
    let sessions: SessionStore
    let authenticator: Authenticator

    public init(gateway: Gateway, limits: CallerLimits = .none) {
        self.gateway = gateway
        self.sessions = SessionStore(gateway: gateway)
        self.authenticator = Authenticator(gateway: gateway, sessions: self.sessions, limits: limits)
        // Made once: the server looks a route up for every request.
        let handler = self
        self.routes = Endpoint.allCases.map { endpoint in
            WireRoute(
                method: endpoint.method, path: PathPattern(endpoint.path, takingNull: ["order", "transaction"]),
                bodyBytesMax: Self.bodyBytesMax
            ) { request, parameters in await handler.handle(request, endpoint, parameters) }
        }
    }

    public var name: DialectName { Self.dialectName }

    public var pathPrefixes: [String] { ["/api/rest", "/api/nvp"] }

    /// Clients put URLs together with a solidus too many, and the vendor's gateway takes them.
    public var mergesSlashes: Bool { true }

    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        let error = CommWebError(wire: failure)
        return Self.response(Answer(error), in: Flavor(path: request.path)).explaining(failure)
            .refused(as: WireRefusal(error.code))
    }

    static func response(_ answer: Answer, in flavor: Flavor) -> WireResponse {
        var response =
            switch flavor {
            case .rest: RESTCodec.response(answer)
            case .nvp: NVPCodec.response(answer)
            }
        // Clients that send their password only when they are asked for it need to be asked (RFC 9110, section 11.6.1).
        if answer.status == .unauthorized { response.headers[.wwwAuthenticate] = "Basic realm=\"gateway\"" }
        if answer.status == .serviceUnavailable { response.headers[.retryAfter] = "1" }
        if let seconds = answer.retryAfterSeconds { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}
