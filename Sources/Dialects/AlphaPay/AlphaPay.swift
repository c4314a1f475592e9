//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
import HTTPTypes
public import Payments
import StrictJSON

/// The wire language of AlphaPay's open API v2.0: JSON over POST, signed with RSA both ways, business errors with HTTP
/// 200.
///
/// docs/dialects/alphapay.md says what is the vendor's and what is this gateway's choice.
public struct AlphaPay: Dialect {
    public static let dialectName = DialectName("alphapay")

    /// No request of this dialect is larger; an Apple Pay token has 4 to 8 KiB.
    static let bodyBytesMax = 64 * 1024
    /// Of a merchant's own ids. The vendor names no bound; a column that is looked up needs one.
    static let requestIDCharactersMax = 255

    public private(set) var routes: [WireRoute] = []
    let gateway: Gateway
    let authenticator: Authenticator
    let signer: Signer
    let attempts = Attempts()

    public init(gateway: Gateway, nonces: NonceMemory = NonceMemory(), limits: CallerLimits = .none) {
        self.gateway = gateway
        self.authenticator = Authenticator(
            gateway: gateway, dialect: Self.dialectName, nonces: nonces, limits: limits)
        self.signer = Signer(gateway: gateway)
        // Made once: the server looks a route up for every request.
        let handler = self
        self.routes = Endpoint.allCases.map { endpoint in
            WireRoute(
                method: .post, path: PathPattern("/api/v2.0/payments/" + endpoint.rawValue),
                bodyBytesMax: Self.bodyBytesMax
            ) { request, _ in await handler.handle(request, endpoint) }
        }
    }

    public var name: DialectName { Self.dialectName }

    public var pathPrefixes: [String] { ["/api/v2.0/payments"] }

    /// An unknown path, a wrong method and a body that is too large are reported with the HTTP status of their kind; a
    /// request that took too long with 200, so that the vendor's SDK reads that the outcome has to be asked for.
    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        let result = AlphaPayResult(failure)
        let body: JSON = ["result": result.json]
        let response =
            switch failure {
            case .pathUnknown: await self.reply(body, status: .notFound, to: request)
            case .methodNotAllowed: await self.reply(body, status: .methodNotAllowed, to: request)
            case .bodyTooLarge: await self.reply(body, status: .contentTooLarge, to: request)
            case .bodyIncomplete: await self.reply(body, status: .requestTimeout, to: request)
            case .timedOut: await self.reply(body, status: .ok, to: request)
            // Neither looked up nor signed: that would be more work than the request was refused for.
            case .overloaded: Signer.unsigned(body, status: .serviceUnavailable)
            }
        return response.explaining(failure).refused(as: WireRefusal(result.code))
    }

    /// Signed, if the request names an account. Nobody has looked at who sends it.
    private func reply(_ body: JSON, status: HTTPResponse.Status, to request: WireRequest) async -> WireResponse {
        guard self.authenticator.maySignRefusal(to: request) else { return Signer.unsigned(body, status: status) }
        do throws(AlphaPayResult) {
            let merchant = try await self.authenticator.account(of: request)
            return self.signed(body, status: status, to: request, for: merchant)
        } catch {
            return Signer.unsigned(body, status: status)
        }
    }

    func signed(
        _ body: JSON, status: HTTPResponse.Status, to request: WireRequest, for merchant: MerchantContext
    ) -> WireResponse {
        do {
            return try self.signer.reply(body, status: status, to: request, for: merchant)
        } catch {
            // The account's private key is unusable. What the caller asked for has been refused before, unless the key
            // is damaged.
            return Signer.unsigned(body, status: status)
        }
    }
}
