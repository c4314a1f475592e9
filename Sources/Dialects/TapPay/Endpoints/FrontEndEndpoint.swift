//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import StrictJSON

/// The calls of apps and pages.
enum FrontEndEndpoint: String, CaseIterable, Sendable {
    case getPrime = "getprime"
    case getSession = "getsession"

    var paths: [String] {
        switch self {
        // Old SDKs say "pay" where they mean the same.
        case .getPrime: ["/tpc/applepay/getprime", "/tpc/applepay/pay"]
        case .getSession: ["/tpc/applepay/getsession"]
        }
    }
}

extension TapPay {
    /// An Apple Pay token has 4 to 8 KiB.
    static let frontEndBodyBytesMax = 64 * 1024

    private static let frontEndLimits = JSONLimits.ofRequest(
        bytesMax: TapPay.frontEndBodyBytesMax, depthMax: 12, valuesMax: 1000)

    var frontEndRoutes: [WireRoute] {
        let handler = self
        return FrontEndEndpoint.allCases.flatMap { endpoint in
            endpoint.paths.flatMap { path in
                [
                    WireRoute(
                        method: .post, path: PathPattern(path), bodyBytesMax: Self.frontEndBodyBytesMax
                    ) { request, _ in await handler.handleFrontEnd(request, endpoint) },
                    // What a browser asks before it sends a page's call to another origin (Fetch, section 4.8).
                    WireRoute(method: .options, path: PathPattern(path), bodyBytesMax: 0) { _, _ in
                        Self.openedToPages(WireResponse(status: .noContent))
                    },
                ]
            }
        }
    }

    func handleFrontEnd(_ request: WireRequest, _ endpoint: FrontEndEndpoint) async -> WireResponse {
        var members: JSONObject
        var retryAfterSeconds: Int?
        var refusal: WireRefusal?
        do {
            let fields = try Self.fields(of: request)
            members =
                switch endpoint {
                case .getPrime: try await self.getPrime(fields, request)
                case .getSession: try await self.getSession(fields, request)
                }
        } catch {
            let failure = Self.failure(of: error)
            members = Self.members(of: error, as: failure)
            retryAfterSeconds = failure.retryAfterSeconds
            refusal = WireRefusal(failure.code, of: endpoint)
        }
        var response = WireResponse(
            status: retryAfterSeconds == nil ? .ok : .tooManyRequests, body: JSON.object(members).serialized())
        response.headers[.retryAfter] = retryAfterSeconds.map { String($0) }
        response.headers[.contentType] = "application/json; charset=utf-8"
        response.headers[.cacheControl] = "no-store"
        response.refusal = refusal
        return Self.openedToPages(response)
    }

    private static func fields(of request: WireRequest) throws(TapPayFailure) -> FrontEndFields {
        if let problem = request.contentCodingProblem { throw TapPayFailure(.wrongJSONFormat, problem) }
        do throws(BodyError) {
            return FrontEndFields(try JSONObject(body: request.body, limits: self.frontEndLimits))
        } catch {
            throw TapPayFailure(.wrongJSONFormat, error.description)
        }
    }

    private static func failure(of error: any Error) -> TapPayFailure {
        error as? TapPayFailure ?? TapPayFailure(frontEnd: error as? GatewayRefusal ?? .storeUnavailable)
    }

    /// Of a token that is refused, how far it came stands beside the number; of a session that there is none of, why.
    private static func members(of error: any Error, as failure: TapPayFailure) -> JSONObject {
        let refusal = error as? GatewayRefusal
        var members = failure.members
        if failure.code == .getSessionError {
            members["msg"] = .string(failure.code.message(filledWith: failure.detail ?? ""))
        }
        members["token_stage"] = refusal?.tokenStage.map { .string($0.wireName) }
        members["token_error"] = refusal?.tokenCode.map { .string($0) }
        if case .merchantSessionFailed(let failure) = refusal { members["reason"] = .string(failure.rawValue) }
        return members
    }

    /// Pages of any origin may call and read the answer: the app key is in the body, and no cookie is ever looked at.
    static func openedToPages(_ response: WireResponse) -> WireResponse {
        var response = response
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.accessControlAllowMethods] = "POST"
        response.headers[.accessControlAllowHeaders] = "content-type, x-api-key"
        response.headers[.accessControlMaxAge] = "600"
        return response
    }
}
