//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON
import Time
import WalletSimulator

/// The sandbox's Apple: answers merchant validation as Apple does, to TLS clients with a Merchant Identity Certificate by
/// the test authority.
struct SimulatedApple: WireService {
    /// A request of Apple's is less than a kilobyte.
    private static let bodyBytesMax = 16 * 1024

    let authority: TestAuthority
    /// Who may show the button where, as it is at the moment of the request.
    let registrations: @Sendable () async throws -> SimulatedMerchantValidation.Registrations
    let clock: @Sendable () -> Timestamp
    let random: @Sendable (Int) -> [UInt8]

    let label = "simulated-apple"

    let pathPrefixes = ["/paymentservices"]

    var routes: [WireRoute] {
        SimulatedMerchantValidation.Endpoint.allCases.map { endpoint in
            WireRoute(method: .post, path: PathPattern(endpoint.path), bodyBytesMax: Self.bodyBytesMax) {
                request, _ in
                await self.answer(endpoint, request)
            }
        }
    }

    private func answer(
        _ endpoint: SimulatedMerchantValidation.Endpoint, _ request: WireRequest
    ) async -> WireResponse {
        do {
            let apple = SimulatedMerchantValidation(
                authority: self.authority, registrations: try await self.registrations())
            let answer = try apple.answer(
                endpoint, clientCertificateDER: request.clientCertificate?.der, body: request.body,
                now: self.clock().date, random: self.random)
            return Self.response(HTTPResponse.Status(code: answer.status), answer.json)
        } catch {
            return Self.failure(.internalServerError, "the simulated Apple cannot read its books")
        }
    }

    func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        switch failure {
        case .pathUnknown: return Self.failure(.notFound, "there is nothing under this path")
        case .methodNotAllowed(let allowed):
            var response = Self.failure(.methodNotAllowed, "sessions are asked for with POST")
            response.headers[.allow] = allowed.map(\.rawValue).joined(separator: ", ")
            return response
        case .bodyTooLarge: return Self.failure(.contentTooLarge, "the body is too large")
        case .bodyIncomplete: return Self.failure(.badRequest, "the body has not arrived in full")
        case .timedOut, .overloaded: return Self.failure(.serviceUnavailable, "too much to do")
        }
    }

    /// In the shape of Apple's errors.
    private static func failure(_ status: HTTPResponse.Status, _ message: String) -> WireResponse {
        self.response(
            status,
            [
                "statusMessage": .string("Payment Services Exception \(message)"),
                "statusCode": .string("\(status.code)"),
            ])
    }

    private static func response(_ status: HTTPResponse.Status, _ json: JSON) -> WireResponse {
        WireResponse(
            status: status, headers: [.contentType: "application/json;charset=UTF-8", .cacheControl: "no-store"],
            body: json.serialized())
    }
}
