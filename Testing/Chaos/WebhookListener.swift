//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import TestShop

/// Where the merchants of every dialect are notified of events.
final class WebhookListener: Sendable {
    /// What has arrived, in the order of the first arrival.
    final class Arrivals: Sendable {
        struct State {
            /// By what the dialect calls the payment.
            var messages: [String: [String]] = [:]
            var count = 0
            var repeatsCount = 0
        }

        let state = Mutex(State())

        func receive(_ message: String, of payment: String) {
            self.state.withLock { state in
                state.count += 1
                if state.messages[payment, default: []].contains(message) {
                    state.repeatsCount += 1
                } else {
                    state.messages[payment, default: []].append(message)
                }
            }
        }
    }

    let arrivals = Arrivals()
    private let port: Int
    private let clients = WebhookClients()
    private let listener: any Channel

    init() async throws {
        let (arrivals, clients) = (self.arrivals, self.clients)
        self.listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(WebhookHandler(arrivals, clients))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.port = self.listener.localAddress?.port ?? 0
    }

    /// Where notifications go, of every dialect.
    var url: String { "http://127.0.0.1:\(self.port)/webhooks" }

    func close() async { try? await self.listener.close() }

    /// From here on what arrives can be read: by the clients of the merchants who are notified, by dialect.
    func read(with clients: [String: any WireClient]) { self.clients.set(clients) }
}

/// Who can read what arrives.
private final class WebhookClients: Sendable {
    private let state = Mutex<[String: any WireClient]>([:])

    var all: [String: any WireClient] { self.state.withLock { $0 } }

    func set(_ clients: [String: any WireClient]) { self.state.withLock { $0 = clients } }
}

/// Files what arrives, and acknowledges it as its dialect wants. What nobody of the merchants can read, or what is not the
/// gateway's, is not acknowledged, and missed in the end.
private final class WebhookHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let arrivals: WebhookListener.Arrivals
    private let clients: WebhookClients
    private var path = ""
    private var headers = HTTPFields()
    private var body = ByteBuffer()

    init(_ arrivals: WebhookListener.Arrivals, _ clients: WebhookClients) {
        self.arrivals = arrivals
        self.clients = clients
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            self.path = head.uri
            self.headers = HTTPFields()
            for header in head.headers {
                if let name = HTTPField.Name(header.name) {
                    self.headers.append(HTTPField(name: name, value: header.value))
                }
            }
            self.body.clear()
        case .body(var part): self.body.writeBuffer(&part)
        case .end:
            let answer = self.receive()
            let head = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status),
                headers: ["Content-Length": String(answer.body.count)])
            context.write(self.wrapOutboundOut(.head(head)), promise: nil)
            context.write(self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
            context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    private func receive() -> ClientReply {
        let notification = ClientNotification(
            path: self.path, headers: self.headers, body: Array(self.body.readableBytesView))
        guard let read = ShopDialects.read(notification, clients: self.clients.all) else {
            return ClientReply(status: 503)
        }
        self.arrivals.receive(read.message, of: read.payment)
        return read.acknowledgement
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
