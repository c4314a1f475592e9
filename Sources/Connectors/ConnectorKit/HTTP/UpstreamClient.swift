//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Payments
import Redaction
import Synchronization

/// HTTP exchanges with acquirers: one connection pool for all accounts of a connector.
///
/// Nothing is retried and no redirect is followed, because a second request is the caller's decision. Requests go over
/// HTTP/1.1 alone: there a connection carries one request at a time, so that whether its first byte was written is one
/// question with one answer. A request over HTTP/2 shares its connection, its flow control and its GOAWAY with others.
public final class UpstreamClient: Sendable {
    private let client: HTTPClient
    private let limits: UpstreamLimits
    private let permits: SendPermits
    private let reach: ReachCheck
    private let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    /// How many calls each account has under way.
    private let calls = Mutex<[AcquirerAccountID: Int]>([:])

    /// - Parameters:
    ///   - addresses: of hosts whose names are not to be looked up, by name. Certificates are held against the name.
    ///   - reach: where all other names may lead.
    ///   - sleep: passes the time that an exchange may take.
    public init(
        limits: UpstreamLimits = UpstreamLimits(), addresses: [String: String] = [:],
        reach: UpstreamReach = .anywhere,
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void = {
            try await Task.sleep(for: .milliseconds($0))
        }
    ) {
        let permits = SendPermits()
        self.limits = limits
        self.permits = permits
        self.reach = ReachCheck(reach, given: Set(addresses.keys))
        self.sleep = sleep
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: .milliseconds(limits.connectMilliseconds)))
        configuration.httpVersion = .http1Only
        configuration.dnsOverride = addresses
        configuration.decompression = .disabled
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .milliseconds(limits.idleMilliseconds)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = limits.connectionsPerHostMax
        // The one hook into a connection that the client has; it runs before the connection's first request.
        configuration.http1_1ConnectionDebugInitializer = { [bytesMax = limits.answerBytesMax] channel in
            channel.eventLoop.makeCompletedFuture {
                try RequestGate.add(to: channel, permits: permits, answerBytesMax: bytesMax)
            }
        }
        self.client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// The HTTP client ends the program if it is forgotten.
    deinit {
        self.client.shutdown { _ in }
    }

    /// How long making a connection may take.
    public var connectMilliseconds: Int64 { self.limits.connectMilliseconds }

    /// Closes all connections. An exchange that is begun later is not sent.
    public func shutdown() async {
        try? await self.client.shutdown()
    }

    /// Sends a request and reads its answer.
    public func exchange(_ request: UpstreamRequest) async -> UpstreamEnding {
        guard let prepared = Self.prepare(request) else { return .notSent("url_not_allowed") }
        guard self.enter(request.account) else { return .notSent("too_many_calls_of_the_account") }
        defer { self.leave(request.account) }
        let name = self.reach.name(inURL: request.url)
        let (id, permit) = self.permits.issue(needsPublicAddress: name != nil)
        defer { self.permits.forget(id) }
        var outgoing = prepared
        outgoing.headers.add(name: SendPermits.headerName, value: String(id))
        let sent = outgoing
        let result = await self.inTime(request.deadlineMilliseconds) {
            if let name { try await self.find(name) }
            return try await self.send(sent)
        }
        switch result {
        case .success(let answer): return .answered(answer)
        case .failure(let failure):
            // From here on nothing is written any more, unless it was already.
            guard permit.withdraw() else { return .unknown(failure.afterWriting) }
            return .notSent(failure.beforeWriting)
        }
    }

    private func enter(_ account: AcquirerAccountID?) -> Bool {
        guard let account else { return true }
        return self.calls.withLock { calls in
            guard calls[account, default: 0] < self.limits.callsPerAccountMax else { return false }
            calls[account, default: 0] += 1
            return true
        }
    }

    private func leave(_ account: AcquirerAccountID?) {
        guard let account else { return }
        self.calls.withLock { calls in
            let left = calls[account, default: 1] - 1
            calls[account] = left > 0 ? left : nil
        }
    }

    private static func prepare(_ request: UpstreamRequest) -> HTTPClientRequest? {
        let isPlain = request.url.hasPrefix("http://")
        guard request.url.hasPrefix("https://") || isPlain && request.allowsPlainHTTP else { return nil }
        var prepared = HTTPClientRequest(url: request.url)
        prepared.method = HTTPMethod(rawValue: request.method)
        prepared.headers.add(name: "User-Agent", value: "Pomona")
        for header in request.headers { prepared.headers.add(name: header.name, value: header.value.reveal()) }
        if let body = request.body { prepared.body = .bytes(ByteBuffer(bytes: body.reveal())) }
        if !isPlain { prepared.tlsConfiguration = request.tls.configuration }
        return prepared
    }

    private func send(_ request: HTTPClientRequest) async throws -> UpstreamAnswer {
        // The deadline is over the body too, and cancels.
        let response = try await self.client.execute(request, deadline: .distantFuture)
        let body = try await response.body.collect(upTo: self.limits.answerBytesMax)
        return UpstreamAnswer(
            status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
            body: Redacted(Array(body.readableBytesView)))
    }

    /// Looks a name up that is not known yet, for no longer than a connection may take: another route may take the payment.
    private func find(_ name: String) async throws(ExchangeFailure) {
        let found: Result<Void, ExchangeFailure> = await self.inTime(self.limits.connectMilliseconds) {
            try await self.reach.check(name)
        }
        try found.get()
    }

    /// Runs an exchange or a part of one, but no longer than it may take.
    private func inTime<Value: Sendable>(
        _ milliseconds: Int64, _ body: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, ExchangeFailure> {
        await withTaskGroup(of: Result<Value, ExchangeFailure>.self) { group in
            group.addTask {
                do { return .success(try await body()) } catch { return .failure(ExchangeFailure(error)) }
            }
            group.addTask { [sleep] in
                try? await sleep(milliseconds)
                return .failure(.deadlinePassed)
            }
            let first = await group.next() ?? .failure(.deadlinePassed)
            group.cancelAll()
            return first
        }
    }
}

/// Nothing of its connections is shown: requests with keys and tokens are in them, and other threads change them while
/// somebody looks.
extension UpstreamClient: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: []) }
}
