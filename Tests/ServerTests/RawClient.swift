//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A client that sends what no HTTP client would, over a real socket.
struct RawClient: Sendable {
    let channel: any Channel
    private let received: Received

    private final class Received: Sendable {
        let bytes = Mutex<[UInt8]>([])
        let arrivals = AsyncStream<Void>.makeStream()

        var text: String { String(decoding: self.bytes.withLock { $0 }, as: UTF8.self) }
    }

    private final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        let received: Received

        init(_ received: Received) {
            self.received = received
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = self.unwrapInboundIn(data)
            self.received.bytes.withLock { $0.append(contentsOf: buffer.readableBytesView) }
            self.received.arrivals.continuation.yield()
        }

        func channelInactive(context: ChannelHandlerContext) {
            self.received.arrivals.continuation.finish()
        }

        // A reset is an end like another.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }

    /// - Parameters:
    ///   - url: the fixture's.
    ///   - reads: whether it takes what the server sends.
    static func connect(_ url: String, reads: Bool = true) async throws -> RawClient {
        let port = url.split(separator: ":").last.flatMap { Int($0) } ?? 0
        let received = Received()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(received))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return RawClient(channel: channel, received: received)
    }

    func send(_ text: String) async throws {
        try await self.channel.writeAndFlush(ByteBuffer(string: text))
    }

    /// One byte after the other, until the server has had enough.
    func trickle(_ byte: UInt8) {
        let channel = self.channel
        let task = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(5)) { _ in
            channel.writeAndFlush(ByteBuffer(bytes: [byte]), promise: nil)
        }
        channel.closeFuture.whenComplete { _ in task.cancel() }
    }

    /// What was received until the server closed the connection.
    func untilClosed() async throws -> String {
        try await self.channel.closeFuture.get()
        return self.received.text
    }

    /// What was received when it began to end so, or when the server closed the connection.
    func until(_ end: String) async -> String {
        for await _ in self.received.arrivals.stream where self.received.text.hasSuffix(end) { break }
        return self.received.text
    }

    func close() async throws {
        try await self.channel.close()
    }
}
