//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOPosix
import Synchronization

/// One connection of a client through a ``FaultyProxy``, and the one to the service that belongs to it, which is made once
/// there is something to pass on.
final class FaultyConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// What is happening to one exchange.
    private final class Passage {
        let plan: FaultyProxy.Plan
        let number: Int
        let fault: FaultyProxy.Fault
        private(set) var request = MessageBytes()
        private(set) var answer = MessageBytes()
        var isOver = false
        /// When a second copy of the request has been answered, or never will be.
        var copyEnd: EventLoopFuture<Void>?

        init(_ plan: FaultyProxy.Plan) {
            self.plan = plan
            self.number = plan.begin()
            self.fault = plan.fault(of: self.number)
        }

        func note(request piece: ByteBuffer) {
            self.request.append(piece)
            self.plan.exchanges.withLock { $0[self.number].request += piece.readableBytesView }
        }

        func note(answer piece: ByteBuffer) {
            self.answer.append(piece)
            self.plan.exchanges.withLock { $0[self.number].answer += piece.readableBytesView }
        }
    }

    private let client: any Channel
    private let shared: FaultyProxy.Shared
    private var service: EventLoopFuture<any Channel>?
    private var passage: Passage?

    init(_ client: any Channel, _ shared: FaultyProxy.Shared) {
        self.client = client
        self.shared = shared
    }

    // MARK: - Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var piece = self.unwrapInboundIn(data)
        let passage = self.passageOfNextBytes()
        guard !passage.isOver else { return }
        guard !passage.plan.isDown(in: passage.number) else { return self.end(passage) }
        let before = passage.request.bytes.count
        passage.note(request: piece)
        switch passage.fault {
        case .cutRequest(let limit) where passage.request.bytes.count >= limit:
            passage.isOver = true
            let rest = piece.readSlice(length: limit - before) ?? ByteBuffer()
            guard limit > 0 else { return self.close() }
            // What was passed on arrives, and then the end does.
            self.connection().flatMap { $0.writeAndFlush(rest) }.assumeIsolated().whenComplete { _ in self.close() }
        case .loseRequest:
            if passage.request.isWhole { self.end(passage) }
        case .garbleRequest(let index):
            piece.garble(at: index - before)
            self.passOn(piece, passage)
        case .repeatRequest:
            self.passOn(piece, passage)
            if passage.request.isWhole { passage.copyEnd = self.sendAgain(passage.request.bytes) }
        default: self.passOn(piece, passage)
        }
    }

    private func passageOfNextBytes() -> Passage {
        if let passage, !passage.request.isWhole { return passage }
        let passage = Passage(self.shared.plan.withLock { $0 })
        self.passage = passage
        return passage
    }

    private func passOn(_ piece: ByteBuffer, _ passage: Passage) {
        if let answer = passage.plan.replay(of: passage.number) {
            if passage.request.isWhole { self.receive(ByteBuffer(bytes: answer)) }
        } else {
            self.connection().whenSuccess { $0.writeAndFlush(piece, promise: nil) }
        }
    }

    private func connect(_ initialize: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>) -> EventLoopFuture<
        any Channel
    > {
        ClientBootstrap(group: self.client.eventLoop).channelInitializer(initialize)
            .connect(host: "127.0.0.1", port: self.shared.port)
    }

    private func connection() -> EventLoopFuture<any Channel> {
        if let service { return service }
        let here = NIOLoopBound(self, eventLoop: self.client.eventLoop)
        let made = self.connect { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(ServiceEnd(here.value))
            }
        }
        self.service = made
        let client = self.client
        made.whenFailure { _ in client.close(promise: nil) }
        return made
    }

    /// - Returns: when the service has answered it, or never will.
    private func sendAgain(_ bytes: [UInt8]) -> EventLoopFuture<Void> {
        let closing = self.client.closeFuture
        let end = self.client.eventLoop.makePromise(of: Void.self)
        let made = self.connect { channel in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(CopyEnd(end)) }
        }
        made.whenSuccess { channel in
            channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
            closing.whenComplete { _ in channel.close(promise: nil) }
        }
        made.whenFailure { _ in end.succeed() }
        return end.futureResult
    }

    // MARK: - Answers

    /// The service's end of the connection.
    private final class ServiceEnd: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let connection: FaultyConnection

        init(_ connection: FaultyConnection) {
            self.connection = connection
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.connection.receive(self.unwrapInboundIn(data))
        }

        func channelInactive(context: ChannelHandlerContext) { self.connection.client.close(promise: nil) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// The service's end of the connection of a copy, whose answer is counted and not read.
    private final class CopyEnd: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let end: EventLoopPromise<Void>

        init(_ end: EventLoopPromise<Void>) {
            self.end = end
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { self.end.succeed() }

        func channelInactive(context: ChannelHandlerContext) { self.end.succeed() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private func receive(_ piece: ByteBuffer) {
        guard let passage, !passage.isOver else { return }
        guard !self.shared.takeLoss(passage.request.bytes) else { return self.end(passage) }
        var piece = piece
        let before = passage.answer.bytes.count
        passage.note(answer: piece)
        switch passage.fault {
        case .cutAnswer(let limit) where passage.answer.bytes.count >= limit:
            self.end(passage, after: piece.readSlice(length: limit - before))
        case .garbleAnswer(let index):
            piece.garble(at: index - before)
            guard passage.answer.isWhole else { return self.answer(piece) }
            self.end(passage, after: piece)
        case .swallowAnswer:
            if passage.answer.isWhole { self.shared.swallowed.withLock { $0 }?() }
        case .repeatRequest:
            // Not before the copy: the client's clock may go on by days then, and a copy still on its way would come after them.
            guard let copyEnd = passage.copyEnd else { return self.answer(piece) }
            copyEnd.assumeIsolated().whenComplete { [piece] _ in self.answer(piece) }
        default: self.answer(piece)
        }
    }

    private func answer(_ piece: ByteBuffer) { self.client.writeAndFlush(piece, promise: nil) }

    // MARK: - Ends

    private func end(_ passage: Passage, after piece: ByteBuffer? = nil) {
        passage.isOver = true
        guard let piece else { return self.close() }
        self.client.writeAndFlush(piece).assumeIsolated().whenComplete { _ in self.close() }
    }

    private func close() {
        self.client.close(promise: nil)
        self.service?.whenSuccess { $0.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) { self.service?.whenSuccess { $0.close(promise: nil) } }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// An HTTP/1.1 message as it comes, and whether that is all of it.
private struct MessageBytes {
    private static let emptyLine = Array("\r\n\r\n".utf8)

    private(set) var bytes: [UInt8] = []
    /// Known once the head has come.
    private var length: Int?

    var isWhole: Bool { self.length.map { self.bytes.count >= $0 } ?? false }

    mutating func append(_ piece: ByteBuffer) {
        let start = max(0, self.bytes.count - 3)
        self.bytes += piece.readableBytesView
        guard self.length == nil else { return }
        for end in start..<max(start, self.bytes.count - 3) where self.bytes[end] == 0x0D {
            guard self.bytes[end..<(end + 4)].elementsEqual(Self.emptyLine) else { continue }
            self.length = end + 4 + Self.contentLength(String(decoding: self.bytes[..<end], as: UTF8.self))
            return
        }
    }

    private static func contentLength(_ head: String) -> Int {
        for line in head.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            return Int(parts[1].filter { $0 != " " }) ?? 0
        }
        return 0
    }
}

extension ByteBuffer {
    /// Makes a byte another; outside of the piece it does nothing.
    fileprivate mutating func garble(at index: Int) {
        guard (0..<self.readableBytes).contains(index) else { return }
        let index = self.readerIndex + index
        guard let byte = self.getInteger(at: index, as: UInt8.self) else { return }
        self.setInteger(byte ^ 0x01, at: index)
    }
}
