//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import DialectKit
import Hosts
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Sends one notification and reads its answer: no redirects, no cookies, bounded in time and size.
struct NotificationSender: Sendable {
    struct Answer: Sendable {
        let status: Int
        let contentType: String?
        let body: [UInt8]
    }

    static let answerBytesMax = 64 * 1024

    let check: TargetCheck
    let timeoutSeconds: Int64
    /// What a merchant's server must prove: its name, by an authority that this machine trusts.
    var tls = NotificationSender.defaultTLS
    /// Passes the time that an attempt may take.
    var sleep: @Sendable (_ seconds: Int64) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }

    func send(
        _ notification: OutgoingNotification, to text: String, within reach: TargetCheck.Reach
    ) async throws(SendFailure) -> Answer {
        guard let target = NotificationTarget(text) else { throw .targetMalformed }
        do {
            return try await self.inTime {
                let addresses = try await self.check.addresses(of: target, within: reach)
                return try await self.send(notification, to: target, at: addresses)
            }
        } catch let failure as SendFailure {
            throw failure
        } catch is NIOTooManyBytesError {
            throw .answerTooLarge
        } catch is AnswerBound.Exceeded {
            throw .answerTooLarge
        } catch let error as HTTPClientError where Self.timeouts.contains(error) {
            throw .timedOut
        } catch  where Self.isOfTLS(error) {
            throw .tlsFailed
        } catch {
            throw .connectionFailed
        }
    }

    private static func isOfTLS(_ error: any Error) -> Bool {
        error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError
    }

    /// TLS 1.2 or later (RFC 9325, section 3.1.1).
    static let defaultTLS: TLSConfiguration = {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        return tls
    }()

    private static let timeouts: [HTTPClientError] = [
        .connectTimeout, .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
        .tlsHandshakeTimeout,
    ]

    /// To the first of the addresses that takes a connection. Whatever fails after that may have been received, and is
    /// not sent to another.
    private func send(
        _ notification: OutgoingNotification, to target: NotificationTarget, at addresses: [IPAddress]
    ) async throws -> Answer {
        let connectTimeout = TimeAmount.milliseconds(self.timeoutSeconds * 1000 / Int64(max(1, addresses.count)))
        var refusal: any Error = SendFailure.connectionFailed
        for address in addresses {
            do {
                return try await self.send(notification, to: target, at: address, connectTimeout)
            } catch  where Self.isRefusal(error) {
                refusal = error
            }
        }
        throw refusal
    }

    /// Whether no connection was made. The client connects to an address, never to a name, so that a refusal is the
    /// system's own error.
    private static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case let error as IOError: self.refusals.contains(error.errnoCode)
        case let error as HTTPClientError: error == .connectTimeout
        default: false
        }
    }

    private static let refusals = [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT]

    /// A client of its own for every attempt, since the pin to an address is a property of a client.
    private func send(
        _ notification: OutgoingNotification, to target: NotificationTarget, at address: IPAddress,
        _ connectTimeout: TimeAmount
    ) async throws -> Answer {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: self.tls, redirectConfiguration: .disallow,
            timeout: .init(connect: connectTimeout, read: .seconds(self.timeoutSeconds)))
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        // Called when the connection is there, with its TLS: from then on the request may have been received.
        let connection = ConnectionMark()
        configuration.http1_1ConnectionDebugInitializer = { channel in
            connection.isMade.store(true, ordering: .relaxed)
            return AnswerBound.add(to: channel)
        }
        // The name stays what TLS is checked against and what the Host header says.
        if IPAddress(target.host) == nil { configuration.dnsOverride = [target.host: address.description] }
        let client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
        do {
            let answer = try await self.exchange(notification, target, over: client)
            try await client.shutdown()
            return answer
        } catch {
            try? await client.shutdown()
            guard connection.isMade.load(ordering: .relaxed), !Self.saysMore(error) else { throw error }
            throw SendFailure.noAnswer
        }
    }

    private final class ConnectionMark: Sendable {
        let isMade = Atomic(false)
    }

    /// Whether the end of an exchange says more than that there was no answer.
    private static func saysMore(_ error: any Error) -> Bool {
        switch error {
        case is NIOTooManyBytesError, is AnswerBound.Exceeded, is CancellationError: true
        case let error as HTTPClientError: self.timeouts.contains(error) || error == .cancelled
        default: false
        }
    }

    private func exchange(
        _ notification: OutgoingNotification, _ target: NotificationTarget, over client: HTTPClient
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: target.urlText)
        request.method = HTTPMethod(rawValue: notification.method)
        for header in notification.headers { request.headers.add(name: header.name, value: header.value) }
        // Some merchants know the sender by its name (PAYONE's "PAYONE FinanceGate").
        if !request.headers.contains(name: "User-Agent") { request.headers.add(name: "User-Agent", value: "Pomona") }
        request.body = .bytes(ByteBuffer(bytes: notification.body))
        let response = try await client.execute(request, timeout: .seconds(self.timeoutSeconds))
        let body = try await response.body.collect(upTo: Self.answerBytesMax)
        return Answer(
            status: Int(response.status.code), contentType: response.headers.first(name: "Content-Type"),
            body: Array(body.readableBytesView))
    }

    /// Bounds the whole: name server, connection, and an answer that drips.
    private func inTime(_ work: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await self.sleep(self.timeoutSeconds)
                throw SendFailure.timedOut
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw SendFailure.timedOut }
            return answer
        }
    }
}

extension NotificationTarget {
    /// The address written anew from its parts, so that what is requested is what was checked.
    var urlText: String {
        let host = HostAndPort.urlHost(self.host)
        let query = self.query.map { "?" + $0 } ?? ""
        return "\(self.isSecure ? "https" : "http")://\(host):\(self.port)\(self.path)\(query)"
    }
}
