//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import Gateway
import NIOCore
import NIOHTTP1
import NIOSSL
import Payments
import Redaction
import StrictJSON

/// Asks Apple for merchant sessions: "Requesting an Apple Pay payment session" (Apple Pay on the Web), with the merchant's
/// identity certificate as the TLS client's.
///
/// Where to ask is never taken from a request: a session for an address of somebody else's choice would hand him the
/// merchant's identity.
struct AppleSessionClient: Sendable {
    /// Where Apple is asked.
    struct Endpoint: Hashable, Sendable {
        var host: String
        var port = 443
        /// The authorities of the server's certificate, PEM; `nil` takes the system's.
        var authoritiesPEM: String?

        static let live = Endpoint(host: "apple-pay-gateway.apple.com")
        static let sandbox = Endpoint(host: "apple-pay-gateway-cert.apple.com")
    }

    var live = Endpoint.live
    var sandbox = Endpoint.sandbox
    var timeoutSeconds: Int64 = 10

    private static let answerBytesMax = 64 * 1024

    /// - Throws: `MerchantSessionError` with a word for what went wrong.
    func request(_ session: MerchantSessionRequest) async throws(MerchantSessionError) -> Redacted<[UInt8]> {
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: try self.configuration(of: session))
        let result: Result<Redacted<[UInt8]>, MerchantSessionError>
        do throws(MerchantSessionError) {
            result = .success(try await self.ask(session, through: client))
        } catch {
            result = .failure(error)
        }
        try? await client.shutdown()
        return try result.get()
    }

    private func configuration(
        of session: MerchantSessionRequest
    ) throws(MerchantSessionError) -> HTTPClient.Configuration {
        do {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.minimumTLSVersion = .tlsv12
            tls.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(session.identityCertificatePEM.utf8))
                .map { .certificate($0) }
            tls.privateKey = .privateKey(
                try NIOSSLPrivateKey(bytes: Array(session.identityPrivateKeyPEM.reveal().utf8), format: .pem))
            if let authorities = self.endpoint(of: session.mode).authoritiesPEM {
                tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authorities.utf8)))
            }
            return HTTPClient.Configuration(
                tlsConfiguration: tls, redirectConfiguration: .disallow,
                timeout: HTTPClient.Configuration.Timeout(connect: .seconds(self.timeoutSeconds)))
        } catch {
            throw MerchantSessionError("identity_unusable")
        }
    }

    private func endpoint(of mode: Mode) -> Endpoint {
        switch mode {
        case .live: self.live
        case .sandbox: self.sandbox
        }
    }

    private func ask(
        _ session: MerchantSessionRequest, through client: HTTPClient
    ) async throws(MerchantSessionError) -> Redacted<[UInt8]> {
        let endpoint = self.endpoint(of: session.mode)
        var request = HTTPClientRequest(
            url: "https://\(endpoint.host):\(endpoint.port)/paymentservices/paymentSession")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        let body: JSON = [
            "merchantIdentifier": .string(session.merchantIdentifier), "displayName": .string(session.displayName),
            "initiative": "web", "initiativeContext": .string(session.domainName),
        ]
        request.body = .bytes(ByteBuffer(bytes: body.serialized()))
        do {
            let response = try await client.execute(request, timeout: .seconds(self.timeoutSeconds))
            let bytes = Array(try await response.body.collect(upTo: Self.answerBytesMax).readableBytesView)
            guard response.status == .ok else { throw MerchantSessionError("http_\(response.status.code)") }
            guard (try? JSON.parse(bytes))?.object != nil else { throw MerchantSessionError("answer_unreadable") }
            return Redacted(bytes)
        } catch let error as MerchantSessionError {
            throw error
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .connectTimeout {
            throw MerchantSessionError("timed_out")
        } catch {
            throw MerchantSessionError("connection_failed")
        }
    }
}
