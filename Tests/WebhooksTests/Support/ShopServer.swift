//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// A merchant's server on a free port of the loopback interface.
final class ShopServer: Sendable {
    struct Received: Sendable {
        let method: String
        let uri: String
        let headers: [String: String]
        let body: String
    }

    struct Reply: Sendable {
        var status = 200
        var headers: [(String, String)] = []
        var body = "ok"
    }

    private let reply: @Sendable (Received) async -> Reply
    private let requests = Mutex<[Received]>([])

    init(_ reply: @escaping @Sendable (Received) async -> Reply = { _ in Reply() }) {
        self.reply = reply
    }

    /// What has come in, in order.
    var received: [Received] { self.requests.withLock { $0 } }

    /// Serves while the body runs, and then what has come until then.
    ///
    /// A server that is cancelled drops connections that are accepted and not served yet, for which NIO ends the process
    /// (swift-nio, issue 2637). So it is asked to stop, and cancelled only when that takes too long.
    func run(_ body: @Sendable (ShopServer, _ port: Int) async throws -> Void) async throws {
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            let buffer = try await request.body.collect(upTo: 1 << 20)
            var headers = Dictionary(
                request.headers.map { ($0.name.canonicalName, $0.value) }, uniquingKeysWith: { first, _ in first })
            headers["host"] = request.head.authority
            let received = Received(
                method: request.method.rawValue, uri: request.uri.description, headers: headers,
                body: String(buffer: buffer))
            self.requests.withLock { $0.append(received) }
            let answer = await self.reply(received)
            var response = Response(
                status: .init(code: answer.status), body: .init(byteBuffer: ByteBuffer(string: answer.body)))
            for (name, value) in answer.headers {
                if let name = HTTPField.Name(name) { response.headers[name] = value }
            }
            return response
        }
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let application = Application(
            responder: responder, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                continuation.yield(channel.localAddress?.port ?? 0)
                continuation.finish()
            }, logger: Outbox.logger)
        var settings = ServiceGroupConfiguration(services: [application], logger: Outbox.logger)
        settings.maximumGracefulShutdownDuration = .seconds(5)
        let group = ServiceGroup(configuration: settings)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                // A server that can't listen has no port to wait for.
                defer { continuation.finish() }
                try await group.run()
            }
            var result: Result<Void, any Error>?
            do {
                for await port in ports {
                    try await body(self, port)
                    result = .success(())
                }
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            do {
                try await tasks.waitForAll()
            } catch {
                // How it ends is no test's subject; that it has begun is.
                result = result ?? .failure(error)
            }
            try (result ?? .failure(CancellationError())).get()
        }
    }
}
