//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Time
import UnixSignals

/// A server on the loopback interface that takes webhooks, each bounded in size and time.
struct WebhookReceiver: Sendable {
    static let bodyBytesMax = 1 << 20
    /// How long a webhook may take to come.
    static let bodyMilliseconds: Int64 = 10_000
    /// How long what is under way may take once the server has been asked to stop.
    private static let drainSeconds: Int64 = 12

    let port: Int
    let clock: @Sendable () -> Timestamp
    let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    let answer: @Sendable (ReceivedWebhook) async -> WebhookReply

    /// Serves until one of the signals comes.
    ///
    /// - Parameter onReady: called once, with the port.
    /// - Throws: ``CommandFailure`` `listen_failed`.
    func run(signals: [UnixSignal], onReady: @escaping @Sendable (_ port: Int) async -> Void) async throws {
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let quiet = Logger(label: "webhooks") { _ in SwiftLogNoOpLogHandler() }
        let server = Hummingbird.Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in await self.respond(to: request) },
            configuration: .init(address: .hostname("127.0.0.1", port: self.port)),
            onServerRunning: { channel in
                continuation.yield(channel.localAddress?.port ?? 0)
                continuation.finish()
            }, logger: quiet)
        var configuration = ServiceGroupConfiguration(
            services: [server], gracefulShutdownSignals: signals, logger: quiet)
        configuration.maximumGracefulShutdownDuration = .seconds(Self.drainSeconds)
        let group = ServiceGroup(configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            var hasListened = false
            for await port in ports {
                hasListened = true
                await onReady(port)
            }
            do {
                try await tasks.waitForAll()
            } catch  where !hasListened {
                throw CommandFailure(
                    .listenFailed, stage: .input,
                    "Nobody can listen on port \(self.port) of 127.0.0.1: another program has it, or it is reserved. "
                        + "Name another with --port, or 0 for a free one.")
            }
        }
    }

    private func respond(to request: Request) async -> Response {
        guard request.method == .post else { return Self.response(WebhookReply(status: 405)) }
        let body: [UInt8]
        do {
            body = try await self.body(of: request)
        } catch is Late {
            return Self.response(WebhookReply(status: 408))
        } catch is NIOTooManyBytesError {
            return Self.response(WebhookReply(status: 413))
        } catch {
            return Self.response(WebhookReply(status: 400))
        }
        let webhook = ReceivedWebhook(
            receivedAt: self.clock(), method: request.method.rawValue, target: request.uri.description,
            headers: request.headers.map { OutgoingNotification.Header($0.name.rawName, $0.value) }, body: body)
        return Self.response(await self.answer(webhook))
    }

    private struct Late: Error {}

    private func body(of request: Request) async throws -> [UInt8] {
        try await withThrowingTaskGroup(of: [UInt8].self) { tasks in
            tasks.addTask { Array(try await request.body.collect(upTo: Self.bodyBytesMax).readableBytesView) }
            tasks.addTask {
                try await self.sleep(Self.bodyMilliseconds)
                throw Late()
            }
            defer { tasks.cancelAll() }
            guard let body = try await tasks.next() else { throw Late() }
            return body
        }
    }

    private static func response(_ reply: WebhookReply) -> Response {
        var headers = HTTPFields()
        if let contentType = reply.contentType { headers[.contentType] = contentType }
        return Response(
            status: HTTPResponse.Status(code: reply.status), headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: reply.body)))
    }
}
