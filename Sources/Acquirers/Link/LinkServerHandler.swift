//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
import Logging
import NIOCore
import Payments

/// The server's end of a connection.
final class LinkServerHandler: ChannelInboundHandler {
    typealias InboundIn = [UInt8]
    typealias OutboundOut = ByteBuffer

    private enum Phase {
        case greeting
        case proving(LinkHandshake.Nonces)
        case ready
        case over
    }

    private let server: AcquirerLinkServer
    private var phase = Phase.greeting
    private var deadline: Deadlines.Entry?
    private var callsCount = 0

    init(_ server: AcquirerLinkServer) {
        self.server = server
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        guard self.server.enter(channel) else { return context.close(promise: nil) }
        self.deadline = self.server.handshakeDeadlines.enter { channel.close(promise: nil) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let body = self.unwrapInboundIn(data)
        do throws(LinkViolation) {
            switch self.phase {
            case .greeting:
                let client = try LinkHandshake.readHello(body)
                let nonces = LinkHandshake.Nonces(
                    client: client, server: self.server.random(LinkHandshake.nonceBytesCount))
                self.phase = .proving(nonces)
                context.send(LinkHandshake.challenge(nonces, self.server.description, self.server.secret), as: self)
            case .proving(let nonces):
                try LinkHandshake.checkProof(body, nonces, self.server.description, self.server.secret)
                self.phase = .ready
                self.deadline?.leave()
                context.send(LinkHandshake.ready, as: self)
            case .ready:
                let (number, request) = try LinkRequest.read(body)
                self.pass(on: request, number, context)
            case .over: break
            }
        } catch {
            self.end(context, error)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { self.end(context, error) }

    func channelInactive(context: ChannelHandlerContext) {
        self.phase = .over
        self.deadline?.leave()
        self.server.leave(context.channel)
        context.fireChannelInactive()
    }

    private func pass(on request: LinkRequest, _ number: UInt64, _ context: ChannelHandlerContext) {
        guard self.callsCount < self.server.settings.callsMax else {
            let busy = LinkFailure.busy
            let outcome: LinkOutcome = request.call == .query ? .query(busy.queryOutcome) : .operation(busy.outcome)
            return context.send(
                LinkAnswer(number: number, call: request.call, operationID: request.operationID, outcome: outcome).json,
                as: self)
        }
        self.callsCount += 1
        let acquirer = self.server.acquirer
        let channel = context.channel
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        Task {
            let answer = LinkAnswer(
                number: number, call: request.call, operationID: request.operationID,
                outcome: await request.answer(by: acquirer))
            // Without an answer the connection ends: a client that hears nothing would only wait longer.
            guard let frame = LinkFrame.encode(answer.json) else { return channel.close(promise: nil) }
            channel.writeAndFlush(ByteBuffer(bytes: frame), promise: nil)
            channel.eventLoop.execute { handler.value.callsCount -= 1 }
        }
    }

    private func end(_ context: ChannelHandlerContext, _ reason: any Error) {
        if case .over = self.phase { return }
        self.phase = .over
        self.server.logger.info("acquirer's client is cut off", metadata: ["reason": "\(reason)"])
        context.close(promise: nil)
    }
}
