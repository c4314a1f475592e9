//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AsyncHTTPClient
import DialectKit
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Synchronization
import Testing

@testable import Server

/// The real server on a free port of the loopback interface, while a body runs.
struct ServerFixture: Sendable {
    let readiness: Readiness
    let registry = PrometheusRegistry()
    let log = LogLines()
    let server: HTTPServer
    let services: [any Service]

    final class LogLines: Sendable {
        private let lines = Mutex<[String]>([])

        func append(_ line: String) { self.lines.withLock { $0.append(line) } }

        var all: [String] { self.lines.withLock { $0 } }
    }

    init(
        dialect: TestDialect = TestDialect(), limits: ServerLimits = ServerLimits(), checks: [Readiness.Check] = [],
        checkTimeout: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void = { _ in await Signal().wait() },
        port: Int = 0, tls: ServerIdentity? = nil, offer: ListenerOffer = .everything,
        strictTransportSeconds: Int64? = nil, storeWaitMilliseconds: @escaping @Sendable () -> Int64 = { 0 },
        onRefusal: @escaping @Sendable (RefusedWireCall) -> Void = { _ in },
        isDraining: @escaping @Sendable () async -> Void = {}
    ) {
        self.readiness = Readiness(checks: checks, sleep: checkTimeout)
        let log = self.log
        let logger = Logger(label: "test") { label in
            LogfmtHandler(label: label, level: .trace, time: { "T" }) { log.append($0) }
        }
        self.server = HTTPServer(
            listeners: [
                ListenerConfiguration(
                    host: "127.0.0.1", port: port, tls: tls, offer: offer,
                    strictTransportSeconds: strictTransportSeconds)
            ], services: [dialect],
            readiness: self.readiness, registry: self.registry, limits: limits,
            random: { count in Array(repeating: 0xAB, count: count) }, startTimeSeconds: 1,
            storeWaitMilliseconds: storeWaitMilliseconds, onRefusal: onRefusal, logger: logger)
        self.services = [self.server, DrainNotice(readiness: self.readiness, wait: isDraining)]
    }

    func makeGroup() -> ServiceGroup {
        ServiceGroup(services: self.services, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    func run<Value: Sendable>(_ body: @Sendable (String) async throws -> Value) async throws -> Value {
        let group = self.makeGroup()
        let running = Task { try await group.run() }
        let result: Result<Value, any Error>
        do {
            let address = try await self.server.addresses()[0]
            result = .success(try await body(address.url))
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await running.value
        return try result.get()
    }
}

/// An answer, read wholly.
struct Answer: Sendable {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: self.body, as: UTF8.self) }
}

extension HTTPClient {
    func send(
        _ method: String, _ url: String, body: [UInt8]? = nil, headers: [(String, String)] = []
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = .init(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await self.execute(request, timeout: .seconds(120))
        let buffer = try await response.body.collect(upTo: 1 << 20)
        return Answer(
            status: Int(response.status.code),
            headers: Dictionary(
                response.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $0 + "," + $1 }),
            body: Array(buffer.readableBytesView))
    }
}
