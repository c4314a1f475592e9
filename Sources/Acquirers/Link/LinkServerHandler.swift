//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
import Logging
import NIOCore
import Payments
import StrictJSON

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
    /// That both ends speak.
    private var revision: UInt8 = 0
    /// Of the call whose request comes next.
    private var time: LinkTime?
    private var deadline: Deadlines.Entry?
    private var callsCount = 0
    /// What has been sent over the connection.
    private var accounts: [AcquirerAccountID: Result<AcquirerLinkServer.ServedAccount, LinkAccountRefusal>] = [:]
    /// As many as a gateway of many merchants has; more on one connection are somebody who wants our memory.
    private static let accountsMax = 100_000

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
                let nonces = LinkHandshake.Nonces(client: client, server: LinkHandshake.nonce(self.server.random))
                self.revision = LinkHandshake.revision(with: client)
                self.phase = .proving(nonces)
                context.send(LinkHandshake.challenge(nonces, self.server.offer, self.server.secret), as: self)
            case .proving(let nonces):
                try LinkHandshake.checkProof(body, nonces, self.server.offer, self.server.secret)
                self.phase = .ready
                self.deadline?.leave()
                // What others write from now on comes after it.
                context.send(LinkHandshake.ready(self.server.serve(context.channel)), as: self)
            case .ready: try self.receive(body, context)
            case .over: break
            }
        } catch {
            self.end(context, error)
        }
    }

    private func receive(_ body: [UInt8], _ context: ChannelHandlerContext) throws(LinkViolation) {
        var reader = try LinkFrame.decode(body)
        switch try reader.text("type") {
        case "request":
            let message = try LinkRequestMessage(after: reader)
            self.pass(on: message, until: try self.takeTime(of: message), context)
        case "time":
            guard self.time == nil else { throw LinkViolation("time_without_request") }
            self.time = try LinkTime(after: reader)
        case "command": self.perform(try LinkCommand(after: reader), context)
        case "check": self.check(try LinkCheck(after: reader), context)
        case "account":
            let (account, expected) = try LinkAccount.read(after: reader)
            guard self.accounts.count < Self.accountsMax || self.accounts[account.id] != nil else {
                throw LinkViolation("too_many_accounts")
            }
            self.accounts[account.id] = self.server.open(account, expecting: expected)
        case "noticed":
            let receipt = try LinkReceipt(after: reader)
            self.server.end(receipt.number, receipt.receipt)
        default: throw LinkViolation("not_a_request")
        }
    }

    /// Until when a request may take, as was said right before it.
    private func takeTime(of message: LinkRequestMessage) throws(LinkViolation) -> ContinuousClock.Instant? {
        guard let time = self.time else { return nil }
        self.time = nil
        guard time.number == message.number else { throw LinkViolation("time_of_another_call") }
        return self.server.now() + .milliseconds(time.milliseconds)
    }

    private func acquirer(_ account: AcquirerAccountID?) -> Result<any Acquirer, LinkAccountRefusal> {
        guard let account else { return self.server.acquirer.map { .success($0) } ?? .failure(.missing) }
        return (self.accounts[account] ?? .failure(.unknown)).map(\.acquirer)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { self.end(context, error) }

    func channelInactive(context: ChannelHandlerContext) {
        self.phase = .over
        self.deadline?.leave()
        self.server.leave(context.channel)
        context.fireChannelInactive()
    }

    private func pass(
        on message: LinkRequestMessage, until endsAt: ContinuousClock.Instant?, _ context: ChannelHandlerContext
    ) {
        let (request, number) = (message.request, message.number)
        guard self.callsCount < self.server.settings.callsMax else {
            let busy = LinkFailure.busy
            let outcome: LinkOutcome = request.call == .query ? .query(busy.queryOutcome) : .operation(busy.outcome)
            return context.send(
                LinkAnswer(number: number, call: request.call, operationID: request.operationID, outcome: outcome).json,
                as: self)
        }
        // What has been begun ends; nothing is begun.
        guard !self.server.signOn.isSignedOff else {
            return context.send(
                LinkAnswer(
                    number: number, call: request.call, operationID: request.operationID,
                    outcome: request.outcome(of: LinkFailure.signedOff)
                ).json, as: self)
        }
        let acquirer: any Acquirer
        switch self.acquirer(message.account) {
        case .success(let opened): acquirer = opened
        case .failure(let refusal):
            return context.send(
                LinkAnswer(
                    number: number, call: request.call, operationID: request.operationID,
                    outcome: request.outcome(of: refusal)
                ).json, as: self)
        }
        let (revision, now) = (self.revision, self.server.now)
        self.answer(context) {
            LinkAnswer(
                number: number, call: request.call, operationID: request.operationID,
                outcome: await request.answer(by: acquirer, until: endsAt, now).known(to: revision)
            ).json
        }
    }

    private func check(_ check: LinkCheck, _ context: ChannelHandlerContext) {
        let found = { LinkFindings(number: check.number, findings: $0).json }
        guard self.callsCount < self.server.settings.callsMax else {
            return context.send(found([LinkFailure.busy.finding]), as: self)
        }
        switch self.accounts[check.account] ?? .failure(.unknown) {
        case .failure(let refusal): context.send(found([refusal.finding]), as: self)
        case .success(let served):
            let server = self.server
            self.answer(context) {
                LinkFindings(number: check.number, findings: await server.check(served.account)).json
            }
        }
    }

    private func perform(_ command: LinkCommand, _ context: ChannelHandlerContext) {
        let found = { LinkFindings(number: command.number, findings: [$0]).json }
        guard self.callsCount < self.server.settings.callsMax else {
            return context.send(found(LinkFailure.busy.finding), as: self)
        }
        switch self.accounts[command.account] ?? .failure(.unknown) {
        case .failure(let refusal): context.send(found(refusal.finding), as: self)
        case .success(let served):
            let server = self.server
            self.answer(context) {
                let finding = await server.perform(command.name, for: served.account)
                return LinkFindings(number: command.number, findings: [finding]).json
            }
        }
    }

    /// Sends what a call is answered with as soon as that is known; others go on meanwhile.
    private func answer(_ context: ChannelHandlerContext, _ make: @escaping @Sendable () async -> JSON) {
        self.callsCount += 1
        let channel = context.channel
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        Task {
            // Without an answer the connection ends: a client that hears nothing would only wait longer.
            guard let frame = LinkFrame.encode(await make()) else { return channel.close(promise: nil) }
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
