//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
public import Gateway
import NIOCore
import NIOHTTP1
public import NIOSSL
import Payments
public import Redaction
import StrictJSON

/// Asks Apple for merchant sessions: "Requesting an Apple Pay payment session" (Apple Pay on the Web), with the merchant's
/// identity certificate as the TLS client's.
///
/// Where to ask is never taken from a request as it stands: ``AppleSessionTarget`` chooses among Apple's hosts.
public final class AppleSessionClient: Sendable {
    private static let answerBytesMax = 64 * 1024
    /// The first and one more. Sessions cost nothing, and one that is not used expires.
    private static let attemptsMax = 2
    /// For connections that nobody waits for any more: the deadline is much shorter.
    private static let connectTimeout = TimeAmount.seconds(60)

    private let settings: AppleSessionSettings
    private let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    private let connections: AppleSessionConnections

    public init(
        settings: AppleSessionSettings, sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
    ) {
        self.settings = settings
        self.sleep = sleep
        self.connections = AppleSessionConnections(clientsMax: settings.identitiesMax)
    }

    /// How many merchants' connections are open.
    public var identitiesCount: Int { self.connections.count }

    /// Closes all connections. Requests that come later fail, since there is no connection.
    public func shutdown() async {
        await self.connections.shutdown()
    }

    /// A session, byte for byte as it came.
    ///
    /// - Throws: `MerchantSessionFailure`.
    public func request(_ session: MerchantSessionRequest) async throws(MerchantSessionFailure) -> Redacted<[UInt8]> {
        let target = try AppleSessionTarget(
            validationURL: session.validationURL, mode: session.mode, settings: self.settings)
        let key = AppleSessionConnections.Key(
            certificatePEM: session.identityCertificatePEM, privateKeyPEM: session.identityPrivateKeyPEM.reveal(),
            authoritiesPEM: target.endpoint.authoritiesPEM)
        let outcome = try await self.connections.with(key) { () throws(MerchantSessionFailure) in
            HTTPClient(
                eventLoopGroupProvider: .singleton,
                configuration: try self.configuration(of: session, trusting: target.endpoint.authoritiesPEM))
        } _: { client in
            await self.withDeadline { await self.attempts(session, target, through: client) }
        }
        switch outcome {
        case .success(let bytes): return Redacted(bytes)
        case .failure(let failure): throw failure
        }
    }
}

// MARK: - Asking

extension AppleSessionClient {
    private typealias Outcome = Result<[UInt8], Failure>

    /// Why there is no session, as an error.
    private struct Failure: Error {
        let reason: MerchantSessionFailure
        /// Whether no answer came, so that asking once more makes sense.
        var mayBeTriedAgain = false
    }

    private func attempts(
        _ session: MerchantSessionRequest, _ target: AppleSessionTarget, through client: HTTPClient
    ) async -> Result<[UInt8], MerchantSessionFailure> {
        let body = Self.body(of: session, target.call)
        var reason = MerchantSessionFailure.connectionFailed
        for _ in 0..<Self.attemptsMax {
            switch await self.attempt(body, target, through: client) {
            case .success(let bytes): return .success(bytes)
            case .failure(let failure):
                reason = failure.reason
                guard failure.mayBeTriedAgain, !Task.isCancelled else { return .failure(reason) }
            }
        }
        return .failure(reason)
    }

    private func attempt(
        _ body: [UInt8], _ target: AppleSessionTarget, through client: HTTPClient
    ) async -> Outcome {
        var request = HTTPClientRequest(url: target.url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: body))
        do {
            // The deadline is over all attempts, and cancels.
            let response = try await client.execute(request, deadline: .distantFuture)
            return await Self.outcome(of: response)
        } catch {
            return .failure(Self.failure(of: error))
        }
    }

    /// The shapes of both calls; the earlier one's is of the archived "Requesting an Apple Pay Payment Session".
    private static func body(of session: MerchantSessionRequest, _ call: AppleSessionTarget.Call) -> [UInt8] {
        let identifier = JSON.string(session.merchantIdentifier)
        let body: JSON =
            switch call {
            case .paymentSession:
                [
                    "merchantIdentifier": identifier, "displayName": .string(session.displayName),
                    "initiative": "web", "initiativeContext": .string(session.domainName),
                ]
            case .startSession:
                [
                    "merchantIdentifier": identifier, "domainName": .string(session.domainName),
                    "displayName": .string(session.displayName),
                ]
            }
        return body.serialized()
    }

    /// Runs the body, but no longer than the timeout.
    private func withDeadline(
        _ body: @escaping @Sendable () async -> Result<[UInt8], MerchantSessionFailure>
    ) async -> Result<[UInt8], MerchantSessionFailure> {
        await withTaskGroup(of: Result<[UInt8], MerchantSessionFailure>.self) { group in
            group.addTask { await body() }
            group.addTask { [sleep, settings] in
                try? await sleep(settings.timeoutMilliseconds)
                return .failure(.timedOut)
            }
            let first = await group.next() ?? .failure(.timedOut)
            group.cancelAll()
            return first
        }
    }
}

// MARK: - What came of it

extension AppleSessionClient {
    private static func outcome(of response: HTTPClientResponse) async -> Outcome {
        let code = response.status.code
        guard code == 200 else {
            // The text of a refusal is read only to distinguish refusals.
            let body = try? await response.body.collect(upTo: self.answerBytesMax)
            return .failure(self.failure(ofStatus: code, body: body.map { Array($0.readableBytesView) } ?? []))
        }
        do {
            let bytes = Array(try await response.body.collect(upTo: self.answerBytesMax).readableBytesView)
            guard (try? JSON.parse(bytes))?.object != nil else {
                return .failure(Failure(reason: .answerUnreadable))
            }
            return .success(bytes)
        } catch is NIOTooManyBytesError {
            return .failure(Failure(reason: .answerTooLarge))
        } catch {
            return .failure(self.failure(of: error))
        }
    }

    /// Apple says 400 for a domain and 417 for a merchant that it does not know, and says the rest in a text:
    /// {"statusCode":"400","statusMessage":"… not registered for domain=…"}. The codes and texts are not documented;
    /// they are what merchants report.
    private static func failure(ofStatus code: UInt, body: [UInt8]) -> Failure {
        switch code {
        case 500...599: return Failure(reason: .appleUnavailable, mayBeTriedAgain: true)
        case 429: return Failure(reason: .appleUnavailable)
        case 401, 403: return Failure(reason: .identityRefused)
        case 300...399: return Failure(reason: .redirected)
        case 400...499:
            let message = (try? JSON.parse(body))?["statusMessage"]?.string ?? ""
            if message.contains("not registered for domain") { return Failure(reason: .domainNotRegistered) }
            return Failure(reason: code == 417 ? .merchantNotRegistered : .requestRefused)
        default: return Failure(reason: .answerUnreadable)
        }
    }

    /// Why a request has failed that was sent to one of Apple's hosts with a merchant's identity.
    public static func reason(of error: any Error) -> MerchantSessionFailure { self.failure(of: error).reason }

    private static func failure(of error: any Error) -> Failure {
        if let error = error as? HTTPClientError,
            [.deadlineExceeded, .connectTimeout, .tlsHandshakeTimeout, .readTimeout].contains(error)
        {
            return Failure(reason: .timedOut)
        }
        // BoringSSL gives its reasons in texts alone.
        let text = "\(error)"
        if error is NIOSSLExtraError || text.contains("CERTIFICATE_VERIFY_FAILED")
            || text.contains("unableToValidateCertificate")
        {
            return Failure(reason: .serverNotTrusted)
        }
        if Self.alertsAboutCertificates.contains(where: text.contains) { return Failure(reason: .identityRefused) }
        return Failure(reason: .connectionFailed, mayBeTriedAgain: true)
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
        of session: MerchantSessionRequest, trusting authoritiesPEM: String?
    ) throws(MerchantSessionFailure) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try Self.tls(of: session, trusting: authoritiesPEM), redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: Self.connectTimeout))
        configuration.httpVersion = .http1Only
        // How often is tried is decided here.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    /// TLS with a merchant's identity for the client's certificate.
    public static func tls(
        of session: MerchantSessionRequest, trusting authoritiesPEM: String?
    ) throws(MerchantSessionFailure) -> TLSConfiguration {
        do {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.minimumTLSVersion = .tlsv12
            tls.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(session.identityCertificatePEM.utf8))
                .map { .certificate($0) }
            tls.privateKey = .privateKey(
                try NIOSSLPrivateKey(bytes: Array(session.identityPrivateKeyPEM.reveal().utf8), format: .pem))
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
