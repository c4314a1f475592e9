//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOPosix
import NIOSSL
import StrictJSON

/// Makes connections to a server, hands shaken.
struct LinkDialer: Sendable {
    /// Not empty.
    let endpoints: [AcquirerLinkEndpoint]
    let secret: AcquirerLinkSecret
    let book: LinkBook
    let random: @Sendable (Int) -> [UInt8]
    let group: any EventLoopGroup

    /// Who is at the other end, and what of the link's language it knows.
    struct Server: Sendable {
        let description: AcquirerLinkDescription
        let revision: UInt8
    }

    /// What a connection reports to its owner. All are called on the connection's own event loop, and none after
    /// ``lost``.
    struct Listener: Sendable {
        /// The server has proven itself and takes requests, unless it is signed off.
        let ready: @Sendable (any Channel, LinkDialer.Server, LinkSignOn) -> Void
        let received: @Sendable ([UInt8]) throws -> Void
        /// The connection is over, or never was.
        let lost: @Sendable (_ reason: any Error) -> Void
    }

    init(
        endpoints: [AcquirerLinkEndpoint], secret: AcquirerLinkSecret, book: AcquirerLinkBookRecord = .none,
        random: @escaping @Sendable (Int) -> [UInt8], group: any EventLoopGroup
    ) {
        precondition(!endpoints.isEmpty, "a link needs somebody to connect to")
        self.endpoints = endpoints
        self.secret = secret
        self.book = LinkBook(book)
        self.random = random
        self.group = group
    }

    /// - Parameter expected: who must be there; `nil` for anybody with the secret.
    /// - Returns: the connection once it is made; the listener is notified of whether hands are shaken.
    func dial(
        _ endpoint: AcquirerLinkEndpoint, _ listener: Listener, expecting expected: AcquirerLinkDescription?
    ) -> EventLoopFuture<any Channel> {
        let nonce = LinkHandshake.nonce(self.random)
        return ClientBootstrap(group: self.group)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls = endpoint.tls {
                        try channel.pipeline.syncOperations.addHandler(tls.clientHandler())
                    }
                    try channel.pipeline.syncOperations.addHandlers([
                        ByteToMessageHandler(LinkFrameDecoder()),
                        LinkClientHandler(self.secret, self.book, nonce: nonce, expecting: expected, listener),
                    ])
                }
            }
            .connect(host: endpoint.host, port: endpoint.port)
    }
}

/// The client's end of a connection.
private final class LinkClientHandler: ChannelInboundHandler {
    typealias InboundIn = [UInt8]
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        case greeting
        case proving(LinkDialer.Server)
        case ready
        case over
    }

    private let secret: AcquirerLinkSecret
    private let book: LinkBook
    private let nonce: [UInt8]
    private let expected: AcquirerLinkDescription?
    private let listener: LinkDialer.Listener
    private var phase = Phase.greeting

    init(
        _ secret: AcquirerLinkSecret, _ book: LinkBook, nonce: [UInt8],
        expecting expected: AcquirerLinkDescription?, _ listener: LinkDialer.Listener
    ) {
        self.secret = secret
        self.book = book
        self.nonce = nonce
        self.expected = expected
        self.listener = listener
    }

    func channelActive(context: ChannelHandlerContext) {
        context.send(LinkHandshake.hello(self.nonce), as: self)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let body = self.unwrapInboundIn(data)
        do {
            switch self.phase {
            case .greeting:
                let (offer, proof, revision) = try LinkHandshake.answer(body, nonce: self.nonce, self.secret)
                if let expected = self.expected, expected != offer.acquirer { throw LinkViolation("other_acquirer") }
                try self.book.accept(offer.book)
                self.phase = .proving(LinkDialer.Server(description: offer.acquirer, revision: revision))
                context.send(proof, as: self)
            case .proving(let server):
                let signOn = try LinkHandshake.readReady(body)
                self.phase = .ready
                self.listener.ready(context.channel, server, signOn)
            case .ready: try self.listener.received(body)
            case .over: break
            }
        } catch {
            self.end(context, error)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { self.end(context, error) }

    func channelInactive(context: ChannelHandlerContext) {
        self.end(context, ChannelError.eof)
        context.fireChannelInactive()
    }

    private func end(_ context: ChannelHandlerContext, _ reason: any Error) {
        if case .over = self.phase { return }
        self.phase = .over
        self.listener.lost(reason)
        context.close(promise: nil)
    }
}

extension ChannelHandlerContext {
    /// Sends a message that is known to fit into a frame.
    func send(_ message: JSON, as handler: some ChannelInboundHandler) {
        guard let frame = LinkFrame.encode(message) else { return self.close(promise: nil) }
        self.writeAndFlush(NIOAny(ByteBuffer(bytes: frame)), promise: nil)
    }
}
