//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOPosix
import Synchronization

/// A TCP proxy that does one thing to the next connection, or loses answers on any.
public final class FaultyProxy: Sendable {
    public enum Fault: Hashable, Sendable {
        case none
        /// So many bytes of the request are passed on, then both ends are closed.
        case cutRequest(after: Int)
        case cutAnswer(after: Int)
        /// A byte of it is another.
        case garbleRequest(at: Int)
        /// The connection ends with the answer, since its length may be garbled.
        case garbleAnswer(at: Int, of: Int)
        /// All of the request is sent a second time, over a connection of its own whose answer nobody reads.
        case repeatRequest
        /// The request arrives, and the answer never does.
        case swallowAnswer
    }

    public let port: Int
    private let listener: any Channel
    private let shared: Shared

    fileprivate final class Shared: Sendable {
        let fault = Mutex(Fault.none)
        /// How many bytes went each way in the latest connection.
        let counts = Mutex((request: 0, answer: 0))
        /// Called once the whole of a swallowed answer has come.
        let swallowed = Mutex<(@Sendable () -> Void)?>(nil)
        let target: Mutex<Int>
        /// How many answers are still to be lost, whatever the connection.
        let losses = Mutex(0)

        init(target: Int) {
            self.target = Mutex(target)
        }

        func takeLoss() -> Bool {
            self.losses.withLock { losses in
                guard losses > 0 else { return false }
                losses -= 1
                return true
            }
        }
    }

    /// - Parameter port: where connections lead; 0 until ``lead(to:)`` says it.
    public init(to port: Int = 0) async throws {
        let shared = Shared(target: port)
        self.shared = shared
        self.listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                let fault = shared.fault.withLock { $0 }
                shared.counts.withLock { $0 = (0, 0) }
                return ClientBootstrap(group: client.eventLoop)
                    .channelOption(.autoRead, value: false)
                    .connect(host: "127.0.0.1", port: shared.target.withLock { $0 })
                    .flatMap { server in
                        client.eventLoop.makeCompletedFuture {
                            try client.pipeline.syncOperations.addHandler(
                                Direction(.request, to: server, fault, shared))
                            try server.pipeline.syncOperations.addHandler(
                                Direction(.answer, to: client, fault, shared))
                        }.map {
                            _ = client.setOption(.autoRead, value: true)
                            _ = server.setOption(.autoRead, value: true)
                        }
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.port = self.listener.localAddress?.port ?? 0
    }

    public var url: String { "http://127.0.0.1:\(self.port)" }

    /// Where connections lead from now on.
    public func lead(to port: Int) { self.shared.target.withLock { $0 = port } }

    /// The next answers are not passed on: their connections end instead, also those that stand already.
    public func loseAnswers(_ count: Int) { self.shared.losses.withLock { $0 = count } }

    public func set(_ fault: Fault) { self.shared.fault.withLock { $0 = fault } }

    public func onSwallowed(_ body: @escaping @Sendable () -> Void) { self.shared.swallowed.withLock { $0 = body } }

    /// Of the latest connection.
    public var counts: (request: Int, answer: Int) { self.shared.counts.withLock { $0 } }

    public func close() async { try? await self.listener.close() }
}

/// One direction of a connection.
private final class Direction: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    enum Content {
        case request
        case answer
    }

    private let content: Content
    private let other: any Channel
    private let fault: FaultyProxy.Fault
    private let shared: FaultyProxy.Shared
    private var count = 0
    private var isOver = false

    init(_ content: Content, to other: any Channel, _ fault: FaultyProxy.Fault, _ shared: FaultyProxy.Shared) {
        self.content = content
        self.other = other
        self.fault = fault
        self.shared = shared
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !self.isOver else { return }
        if self.content == .answer, self.shared.takeLoss() {
            self.isOver = true
            self.other.close(promise: nil)
            context.close(promise: nil)
            return
        }
        var piece = self.unwrapInboundIn(data)
        let before = self.count
        self.count += piece.readableBytes
        self.note()
        switch (self.content, self.fault) {
        case (.request, .cutRequest(let limit)), (.answer, .cutAnswer(let limit)):
            guard self.count >= limit else { return self.pass(piece) }
            self.isOver = true
            let rest = piece.readSlice(length: max(0, limit - before)) ?? ByteBuffer()
            let (one, other) = (context.channel, self.other)
            // What was passed on arrives, and then the end does.
            other.writeAndFlush(rest).whenComplete { _ in
                other.close(promise: nil)
                one.close(promise: nil)
            }
        case (.request, .garbleRequest(let index)), (.answer, .garbleAnswer(let index, _)):
            if (before..<self.count).contains(index),
                let byte = piece.getInteger(at: piece.readerIndex + index - before, as: UInt8.self)
            {
                piece.setInteger(byte ^ 0x01, at: piece.readerIndex + index - before)
            }
            self.pass(piece)
            if case .garbleAnswer(_, let total) = self.fault, self.content == .answer, self.count >= total {
                self.other.close(promise: nil)
                context.close(promise: nil)
            }
        case (.request, .repeatRequest):
            self.sendAgain(piece, context)
            self.pass(piece)
        case (.answer, .swallowAnswer): self.shared.swallowed.withLock { $0 }?()
        default: self.pass(piece)
        }
    }

    private func note() {
        self.shared.counts.withLock { counts in
            switch self.content {
            case .request: counts.request = self.count
            case .answer: counts.answer = self.count
            }
        }
    }

    private func pass(_ piece: ByteBuffer) { self.other.writeAndFlush(piece, promise: nil) }

    private func sendAgain(_ piece: ByteBuffer, _ context: ChannelHandlerContext) {
        // The whole request comes in one piece here: a head and a body of a kilobyte.
        let closing = self.other.closeFuture
        ClientBootstrap(group: context.eventLoop).connect(host: "127.0.0.1", port: self.shared.target.withLock { $0 })
            .whenSuccess {
                channel in
                channel.writeAndFlush(piece, promise: nil)
                closing.whenComplete { _ in channel.close(promise: nil) }
            }
    }

    func channelInactive(context: ChannelHandlerContext) { self.other.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
