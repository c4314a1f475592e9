//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CommWeb
import ConnectorKit
import DialectKit
import Logging
import Payments
import Redaction
import Server
import ServiceLifecycle
import SimulatorAcquirer
import TestGateway

@testable import MPGS

/// Another gateway, which speaks the language of this connector's vendor: a real one behind a real HTTP server.
struct OtherGateway: Sendable {
    let test: TestGateway

    static func open() async throws -> OtherGateway {
        let test = try await TestGateway.open()
        let draft = CommWeb.accountDraft(password: Redacted(Bench.password))
        try await test.addMerchant(
            dialect: CommWeb.dialectName, key: Bench.merchantID, settings: draft.settings, secrets: draft.secrets,
            certified: false, countryCode: "AU")
        return OtherGateway(test: test)
    }

    /// Serves while a body runs. All requests that have come are worked on to their end before this returns.
    func serving<Value: Sendable>(_ body: (_ port: Int) async throws -> Value) async throws -> Value {
        let logger = self.test.log.logger
        let server = HTTPServer(
            listeners: [ListenerConfiguration(host: "127.0.0.1", port: 0)],
            services: [CommWeb(gateway: self.test.gateway)], readiness: Readiness(checks: []),
            registry: PrometheusRegistry(), limits: ServerLimits(),
            random: { count in Array(repeating: 0xAB, count: count) }, startTimeSeconds: 1, logger: logger)
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

    /// Serves while a body runs with an acquirer that talks to it.
    func withAcquirer<Value: Sendable>(_ body: (any Acquirer) async throws -> Value) async throws -> Value {
        try await self.serving { port in
            let client = Bench.client()
            let acquirer = try MPGSConnector(client: client).open(Bench.account(host: "http://127.0.0.1:\(port)"))
            let result: Result<Value, any Error>
            do { result = .success(try await body(acquirer)) } catch { result = .failure(error) }
            await client.shutdown()
            return try result.get()
        }
    }

    /// What its acquirer has booked, by the transaction with which a payment began; nothing for what it knows not.
    func positions() async throws -> [String: SimulatorPosition] {
        var positions: [String: SimulatorPosition] = [:]
        for payment in try await self.test.payments() {
            guard let transaction = payment.operations.first?.labels.fields["transaction"] else { continue }
            positions[transaction] = try await self.test.book.position(payment.id)
        }
        return positions
    }
}
