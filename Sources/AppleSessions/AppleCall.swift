//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
public import Gateway
import NIOCore
import NIOHTTP1
public import NIOSSL
import Redaction
import StrictJSON

/// A call to one of Apple's servers.
struct AppleCall: Sendable {
    let endpoint: AppleSessionEndpoint
    let path: String
    /// `nil` for a GET.
    let body: [UInt8]?

    var url: String { self.endpoint.url(self.path) }
}

/// What came of a call that did not succeed.
struct AppleCallFailure: Error {
    let reason: MerchantSessionFailure
    /// `nil` where no answer came.
    let status: UInt?
    /// What Apple has said of it.
    let message: String?
    /// Whether no answer came, so that asking once more makes sense.
    let mayBeTriedAgain: Bool

    init(
        _ reason: MerchantSessionFailure, status: UInt? = nil, message: String? = nil, mayBeTriedAgain: Bool = false
    ) {
        self.reason = reason
        self.status = status
        self.message = message
        self.mayBeTriedAgain = mayBeTriedAgain
    }
}

extension AppleSessionClient {
    private static let answerBytesMax = 64 * 1024
    /// The first and one more. Nothing that is asked for here does harm when it is done twice.
    private static let attemptsMax = 2
    /// For connections that nobody waits for any more: the deadline is much shorter.
    private static let connectTimeout = TimeAmount.seconds(60)

    /// The body of an answer with status 200.
    func send(_ call: AppleCall, by identity: AppleIdentity) async throws(AppleCallFailure) -> [UInt8] {
        let authorities = call.endpoint.authoritiesPEM
        let key = AppleSessionConnections.Key(
            certificatePEM: identity.certificatePEM, privateKeyPEM: identity.privateKeyPEM.reveal(),
            authoritiesPEM: authorities)
        let outcome: Result<[UInt8], AppleCallFailure>
        do throws(MerchantSessionFailure) {
            outcome = try await self.connections.with(key) { () throws(MerchantSessionFailure) in
                HTTPClient(
                    eventLoopGroupProvider: .singleton,
                    configuration: try self.configuration(of: identity, trusting: authorities))
            } _: { client in
                await self.withDeadline { await Self.attempts(call, through: client) }
            }
        } catch {
            throw AppleCallFailure(error)
        }
        return try outcome.get()
    }

    private static func attempts(
        _ call: AppleCall, through client: HTTPClient
    ) async -> Result<[UInt8], AppleCallFailure> {
        var last = AppleCallFailure(.connectionFailed)
        for _ in 0..<self.attemptsMax {
            switch await self.attempt(call, through: client) {
            case .success(let bytes): return .success(bytes)
            case .failure(let failure):
                last = failure
                guard failure.mayBeTriedAgain, !Task.isCancelled else { return .failure(last) }
            }
        }
        return .failure(last)
    }

    private static func attempt(
        _ call: AppleCall, through client: HTTPClient
    ) async -> Result<[UInt8], AppleCallFailure> {
        var request = HTTPClientRequest(url: call.url)
        if let body = call.body {
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        do {
            // The deadline is over all attempts, and cancels.
            let response = try await client.execute(request, deadline: .distantFuture)
            return await self.outcome(of: response)
        } catch {
            return .failure(self.failure(of: error))
        }
    }

    /// Runs the body, but no longer than the timeout.
    private func withDeadline(
        _ body: @escaping @Sendable () async -> Result<[UInt8], AppleCallFailure>
    ) async -> Result<[UInt8], AppleCallFailure> {
        await withTaskGroup(of: Result<[UInt8], AppleCallFailure>.self) { group in
            group.addTask { await body() }
            group.addTask { [sleep, settings] in
                try? await sleep(settings.timeoutMilliseconds)
                return .failure(AppleCallFailure(.timedOut))
            }
            let first = await group.next() ?? .failure(AppleCallFailure(.timedOut))
            group.cancelAll()
            return first
        }
    }
}

// MARK: - What came of it

extension AppleSessionClient {
    private static func outcome(of response: HTTPClientResponse) async -> Result<[UInt8], AppleCallFailure> {
        let code = response.status.code
        guard code == 200 else {
            // The text of a refusal is read only to distinguish refusals.
            let body = try? await response.body.collect(upTo: self.answerBytesMax)
            return .failure(self.failure(ofStatus: code, body: body.map { Array($0.readableBytesView) } ?? []))
        }
        do {
            return .success(Array(try await response.body.collect(upTo: self.answerBytesMax).readableBytesView))
        } catch is NIOTooManyBytesError {
            return .failure(AppleCallFailure(.answerTooLarge))
        } catch {
            return .failure(self.failure(of: error))
        }
    }

    /// Apple says 400 for a domain and 417 for a merchant that it does not know, and says the rest in a text:
    /// {"statusCode":"400","statusMessage":"… not registered for domain=…"}. The codes and texts are not documented;
    /// they are what merchants report.
    private static func failure(ofStatus code: UInt, body: [UInt8]) -> AppleCallFailure {
        let message = (try? JSON.parse(body))?["statusMessage"]?.string
        let reason: MerchantSessionFailure =
            switch code {
            case 500...599, 429: .appleUnavailable
            case 401, 403: .identityRefused
            case 300...399: .redirected
            case 400...499 where (message ?? "").contains("not registered for domain"): .domainNotRegistered
            case 417: .merchantNotRegistered
            case 400...499: .requestRefused
            default: .answerUnreadable
            }
        return AppleCallFailure(
            reason, status: code, message: message, mayBeTriedAgain: (500...599).contains(code))
    }

    /// Why a request has failed that was sent to one of Apple's hosts with a merchant's identity.
    public static func reason(of error: any Error) -> MerchantSessionFailure { self.failure(of: error).reason }

    private static func failure(of error: any Error) -> AppleCallFailure {
        if let error = error as? HTTPClientError,
            [.deadlineExceeded, .connectTimeout, .tlsHandshakeTimeout, .readTimeout].contains(error)
        {
            return AppleCallFailure(.timedOut)
        }
        // BoringSSL gives its reasons in texts alone.
        let text = "\(error)"
        if error is NIOSSLExtraError || text.contains("CERTIFICATE_VERIFY_FAILED")
            || text.contains("unableToValidateCertificate")
        {
            return AppleCallFailure(.serverNotTrusted)
        }
        if Self.alertsAboutCertificates.contains(where: text.contains) { return AppleCallFailure(.identityRefused) }
        return AppleCallFailure(.connectionFailed, mayBeTriedAgain: true)
    }

    /// The alerts with which a server ends the handshake because of the client's certificate (RFC 8446, section 6.2), as
    /// BoringSSL names them; illegal_parameter is for a key that may not sign.
    private static let alertsAboutCertificates = [
        "ALERT_BAD_CERTIFICATE", "ALERT_NO_CERTIFICATE", "ALERT_UNSUPPORTED_CERTIFICATE", "ALERT_CERTIFICATE_REVOKED",
        "ALERT_CERTIFICATE_EXPIRED", "ALERT_CERTIFICATE_UNKNOWN", "ALERT_CERTIFICATE_REQUIRED", "ALERT_UNKNOWN_CA",
        "ALERT_ACCESS_DENIED", "ALERT_DECRYPT_ERROR", "ALERT_HANDSHAKE_FAILURE", "ALERT_ILLEGAL_PARAMETER",
    ]
}

// MARK: - TLS

extension AppleSessionClient {
    private func configuration(
        of identity: AppleIdentity, trusting authoritiesPEM: String?
    ) throws(MerchantSessionFailure) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try Self.tls(of: identity, trusting: authoritiesPEM), redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: Self.connectTimeout))
        configuration.httpVersion = .http1Only
        // How often is tried is decided here.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    /// TLS with an identity for the client's certificate.
    public static func tls(
        of identity: AppleIdentity, trusting authoritiesPEM: String?
    ) throws(MerchantSessionFailure) -> TLSConfiguration {
        do {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.minimumTLSVersion = .tlsv12
            tls.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8))
                .map { .certificate($0) }
            tls.privateKey = .privateKey(
                try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.reveal().utf8), format: .pem))
            if let authoritiesPEM {
                tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authoritiesPEM.utf8)))
            }
            // Also finds a key that is another certificate's.
            _ = try NIOSSLContext(configuration: tls)
            return tls
        } catch {
            throw MerchantSessionFailure.identityUnusable
        }
    }
}
