//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ConnectorKit
public import DialectKit
public import Gateway
import Logging
public import Payments
import Server
import ServiceLifecycle
public import TestGateway

/// Another gateway, which speaks the language of a connector's vendor: a real one behind a real HTTP server.
///
/// ```swift
/// let other = OtherGateway(try await TestGateway.open()) { CommWeb(gateway: $0) }
/// try await other.test.addMerchant(dialect: …)
/// try await other.serving { port in … }
/// ```
public struct OtherGateway: Sendable {
    public let test: TestGateway
    private let service: any WireService

    /// - Parameter service: the vendor's dialect.
    public init(_ test: TestGateway, _ service: (Gateway) -> any WireService) {
        self.test = test
        self.service = service(test.gateway)
    }

    /// Serves while a body runs. All requests that have come are worked on to their end before this returns.
    ///
    /// - Parameter receiveTimeoutMilliseconds: how long a request may take to come, by the clock on the wall.
    public func serving<Value: Sendable>(
        receiveTimeoutMilliseconds: Int64 = 15_000,
        _ body: (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let server = HTTPServer(
            listeners: [ListenerConfiguration(host: "127.0.0.1", port: 0)], services: [self.service],
            readiness: Readiness { _ in }, registry: PrometheusRegistry(),
            limits: ServerLimits(receiveTimeoutMilliseconds: receiveTimeoutMilliseconds),
            random: { count in Array(repeating: 0xAB, count: count) }, startTimeSeconds: 1,
            logger: self.test.log.logger)
        let group = ServiceGroup(services: [server], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { try await group.run() }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(try await server.addresses()[0].port))
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await running.value
        return try result.get()
    }
    /// Serves while a body runs with an acquirer that talks to it, and whose calls have no deadline.
    ///
    /// - Parameter open: opens the account, by its client and the port.
    public func withAcquirer<Value: Sendable>(
        _ open: (UpstreamClient, _ port: Int) throws -> any Acquirer, _ body: (any Acquirer) async throws -> Value
    ) async throws -> Value {
        try await self.serving { port in
            try await UpstreamClient.withoutDeadline { client in try await body(try open(client, port)) }
        }
    }
}
