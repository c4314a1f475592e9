//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import StrictJSON

/// Requests to a provider: bounded in time and size, over TLS that is verified, without redirects. A provider that sends
/// its caller elsewhere would choose who is asked.
final class ProviderHTTP: Sendable {
    struct Answer: Sendable {
        let status: UInt
        let json: JSON?
        /// As the provider's clock has it.
        let date: String?
    }

    private let client: HTTPClient
    private let answerBytesMax: Int
    private let timeoutMilliseconds: Int64
    private let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void

    init(
        _ settings: OpenIDProviderSettings, sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void
    ) throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let authoritiesPEM = settings.authoritiesPEM {
            tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authoritiesPEM.utf8)))
        }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: .milliseconds(settings.timeoutMilliseconds)))
        configuration.httpVersion = .http1Only
        configuration.decompression = .disabled
        configuration.connectionPool.retryConnectionEstablishment = false
        self.client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.answerBytesMax = settings.answerBytesMax
        self.timeoutMilliseconds = settings.timeoutMilliseconds
        self.sleep = sleep
    }

    /// The HTTP client ends the program if it is forgotten.
    deinit {
        self.client.shutdown { _ in }
    }

    /// - Returns: a JSON document that came with the status 200.
    func document(at url: ProviderURL, bearer: String? = nil) async throws(OpenIDFailure) -> Answer {
        var request = HTTPClientRequest(url: url.text)
        request.headers.add(name: "Accept", value: "application/json")
        if let bearer { request.headers.add(name: "Authorization", value: "Bearer \(bearer)") }
        let answer = try await self.answer(to: request)
        guard answer.status == 200 else { throw OpenIDFailure(.providerRefused) }
        guard answer.json?.object != nil else { throw OpenIDFailure(.providerAnswerUnreadable) }
        return answer
    }

    /// Sends a form.
    func post(
        _ form: String, to url: ProviderURL, authorization: String?
    ) async throws(OpenIDFailure) -> Answer {
        var request = HTTPClientRequest(url: url.text)
        request.method = .POST
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        if let authorization { request.headers.add(name: "Authorization", value: authorization) }
        request.body = .bytes(ByteBuffer(string: form))
        return try await self.answer(to: request)
    }

    private func answer(to request: HTTPClientRequest) async throws(OpenIDFailure) -> Answer {
        let result = await withTaskGroup(of: Result<Answer, OpenIDFailure>.self) { group in
            group.addTask { await self.exchange(request) }
            group.addTask { [sleep, timeoutMilliseconds] in
                try? await sleep(timeoutMilliseconds)
                return .failure(OpenIDFailure(.providerTimedOut))
            }
            let first = await group.next() ?? .failure(OpenIDFailure(.providerTimedOut))
            group.cancelAll()
            return first
        }
        return try result.get()
    }

    private func exchange(_ request: HTTPClientRequest) async -> Result<Answer, OpenIDFailure> {
        do {
            // The deadline is over the answer's body too, and cancels.
            let response = try await self.client.execute(request, deadline: .distantFuture)
            let status = response.status.code
            guard !(300...399).contains(status) else { return .failure(OpenIDFailure(.providerRedirects)) }
            let body = try await response.body.collect(upTo: self.answerBytesMax)
            return .success(
                Answer(
                    status: status, json: try? JSON.parse(Array(body.readableBytesView), limits: Self.limits),
                    date: response.headers.first(name: "Date")))
        } catch {
            return .failure(Self.failure(of: error))
        }
    }

    private static let limits = JSONLimits(bytesMax: 1 << 20, depthMax: 8, valuesMax: 8192, allowsNUL: false)

    private static func failure(of error: any Error) -> OpenIDFailure {
        if error is NIOTooManyBytesError { return OpenIDFailure(.providerAnswerTooLarge) }
        if error is HTTPParserError { return OpenIDFailure(.providerAnswerUnreadable) }
        if let error = error as? HTTPClientError,
            [.deadlineExceeded, .connectTimeout, .tlsHandshakeTimeout, .readTimeout].contains(error)
        {
            return OpenIDFailure(.providerTimedOut)
        }
        // BoringSSL gives its reasons in texts alone.
        let text = "\(error)"
        if error is NIOSSLExtraError || text.contains("CERTIFICATE_VERIFY_FAILED")
            || text.contains("unableToValidateCertificate")
        {
            return OpenIDFailure(.providerNotTrusted)
        }
        return OpenIDFailure(.providerUnreachable)
    }
}
