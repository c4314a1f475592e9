//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
import HTTPTypes
public import StrictJSON
import Synchronization
public import Time
public import WalletSimulator

/// The sandbox's Apple: answers merchant validation as Apple does, to TLS clients with a Merchant Identity Certificate by
/// the test authority.
public struct SimulatedApple: WireService {
    /// A request of Apple's is less than a kilobyte.
    private static let bodyBytesMax = 16 * 1024

    public let authority: TestAuthority
    /// Who may show the button where, as it is at the moment of the request.
    let registrations: @Sendable () async throws -> SimulatedMerchantValidation.Registrations
    /// Whom platform integrators have registered.
    let platforms: SimulatedAppleBook
    let clock: @Sendable () -> Timestamp
    let random: @Sendable (Int) -> [UInt8]

    public let label = "simulated-apple"

    public let pathPrefixes = ["/paymentservices"]

    public init(
        authority: TestAuthority,
        registrations: @escaping @Sendable () async throws -> SimulatedMerchantValidation.Registrations,
        platforms: SimulatedAppleBook, clock: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.authority = authority
        self.registrations = registrations
        self.platforms = platforms
        self.clock = clock
        self.random = random
    }

    public var routes: [WireRoute] {
        SimulatedMerchantValidation.Endpoint.allCases.map { endpoint in
            WireRoute(method: .post, path: PathPattern(endpoint.path), bodyBytesMax: Self.bodyBytesMax) {
                request, _ in
                await self.answer(endpoint, request)
            }
        }
            + [
                self.route(.post, .registerMerchant), self.route(.post, .unregisterMerchant),
                self.route(.get, .merchant, parameter: "merchant"),
            ]
    }

    private func route(
        _ method: HTTPRequest.Method, _ endpoint: SimulatedRegistrations.Endpoint, parameter: String? = nil
    ) -> WireRoute {
        let path = endpoint.path + (parameter.map { "/{\($0)}" } ?? "")
        return WireRoute(
            method: method, path: PathPattern(path), bodyBytesMax: method == .get ? 0 : Self.bodyBytesMax
        ) { request, parameters in
            do {
                let answer = try self.platforms.change { registrations in
                    registrations.answer(
                        endpoint, clientCertificateDER: request.clientCertificate?.der,
                        merchant: parameter.flatMap { parameters[$0] }, body: request.body, authority: self.authority,
                        now: self.clock().walletDate)
                }
                return Self.response(HTTPResponse.Status(code: answer.status), answer.json)
            } catch {
                return Self.failure(.internalServerError, "the simulated Apple cannot write its books")
            }
        }
    }

    private func answer(
        _ endpoint: SimulatedMerchantValidation.Endpoint, _ request: WireRequest
    ) async -> WireResponse {
        do {
            let apple = SimulatedMerchantValidation(
                authority: self.authority, registrations: try await self.registrations(),
                platforms: self.platforms.registrations)
            let answer = try apple.answer(
                endpoint, clientCertificateDER: request.clientCertificate?.der, body: request.body,
                now: self.clock().walletDate, random: self.random)
            return Self.response(HTTPResponse.Status(code: answer.status), answer.json)
        } catch {
            return Self.failure(.internalServerError, "the simulated Apple cannot read its books")
        }
    }

    public func answer(to failure: WireFailure, request: WireRequest) async -> WireResponse {
        switch failure {
        case .pathUnknown: return Self.failure(.notFound, "there is nothing under this path")
        case .methodNotAllowed(let allowed):
            var response = Self.failure(.methodNotAllowed, "the path knows other methods")
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

/// Whom platform integrators have registered at the simulated Apple: kept, because Apple forgets nobody when a sandbox ends.
public final class SimulatedAppleBook: Sendable {
    private let write: @Sendable (JSON) throws -> Void
    private let state: Mutex<SimulatedRegistrations>

    /// - Parameters:
    ///   - kept: what was written last.
    ///   - write: keeps it.
    public init(kept: JSON, write: @escaping @Sendable (JSON) throws -> Void) {
        self.write = write
        self.state = Mutex(SimulatedRegistrations(kept))
    }

    var registrations: SimulatedRegistrations { self.state.withLock { $0 } }

    /// What has changed is kept before it is answered.
    func change<Answer>(_ body: (inout SimulatedRegistrations) -> Answer) throws -> Answer {
        try self.state.withLock { registrations in
            var changed = registrations
            let answer = body(&changed)
            if changed != registrations {
                try self.write(changed.json)
                registrations = changed
            }
            return answer
        }
    }
}
