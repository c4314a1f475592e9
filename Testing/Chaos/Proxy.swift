//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOPosix
import Synchronization
import TestRandom

/// What a proxy does to what passes through it, in thousandths of the pieces that it reads.
struct ProxyWeather: Sendable {
    /// The connection ends in the middle of the piece.
    var cut = 0
    /// The piece waits, and all after it.
    var hold = 0
    var holdMilliseconds: Int64 = 0
    /// The piece is sent twice; where the link's messages are known, a whole message.
    var duplicate = 0
    /// A byte of the piece is another.
    var garbage = 0

    static let calm = ProxyWeather()
}

/// A TCP proxy between two processes, in bad weather at will.
final class Proxy: Sendable {
    struct State {
        var weather = ProxyWeather.calm
        var random: SeededRandom
    }

    /// What becomes of one piece.
    enum Fate {
        case pass
        case cut(after: Int)
        case hold(milliseconds: Int64)
        case duplicate
        case garble(at: Int)
    }

    /// What passes through a proxy.
    enum Content: Sendable {
        case bytes
        /// Messages that begin with their length in four bytes, the highest first: what is sent twice is one of them.
        case messages
    }

    let port: Int
    private let listener: any Channel
    private let state: Shared

    /// What the connections ask.
    final class Shared: Sendable {
        let state: Mutex<State>

        init(_ state: State) {
            self.state = Mutex(state)
        }

        func choose(from ports: [Int]) -> Int {
            self.state.withLock { ports.randomElement(using: &$0.random) ?? 0 }
        }

        func fate(of bytesCount: Int) -> Fate {
            self.state.withLock { state in
                let weather = state.weather
                var draw = Int.random(in: 0..<1000, using: &state.random)
                func falls(_ part: Int) -> Bool {
                    defer { draw -= part }
                    return draw >= 0 && draw < part
                }
                if falls(weather.cut) {
                    return .cut(after: Int.random(in: 0..<max(1, bytesCount), using: &state.random))
                }
                if falls(weather.hold) {
                    return .hold(milliseconds: Int64.random(in: 0...weather.holdMilliseconds, using: &state.random))
                }
                if falls(weather.duplicate) { return .duplicate }
                if falls(weather.garbage) {
                    return .garble(at: Int.random(in: 0..<max(1, bytesCount), using: &state.random))
                }
                return .pass
            }
        }
    }

    convenience init(
        to port: Int, of host: String = "127.0.0.1", carrying content: Content, seed: UInt64
    ) async throws {
        try await self.init(to: [port], of: host, carrying: content, seed: seed)
    }

    /// - Parameters:
    ///   - ports: of the other ends; each connection takes one of them.
    ///   - host: the other ends' address, on this machine.
    ///   - own: where it listens; 0 takes a free port.
    init(
        to ports: [Int], of host: String = "127.0.0.1", at own: Int = 0, carrying content: Content, seed: UInt64
    ) async throws {
        let shared = Shared(State(random: SeededRandom(seed: seed)))
        self.state = shared
        self.listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop)
                    .channelOption(.autoRead, value: false)
                    .connect(host: host, port: shared.choose(from: ports))
                    .flatMap { server in
                        client.eventLoop.makeCompletedFuture {
                            for (one, other) in [(client, server), (server, client)] {
                                try one.pipeline.syncOperations.addHandler(
                                    ProxyHandler(to: other, carrying: content, shared))
                            }
                        }.map {
                            _ = client.setOption(.autoRead, value: true)
                            _ = server.setOption(.autoRead, value: true)
                        }
                    }
            }
            .bind(host: "127.0.0.1", port: own).get()
        self.port = self.listener.localAddress?.port ?? 0
    }

    func set(_ weather: ProxyWeather) { self.state.state.withLock { $0.weather = weather } }

    func close() async { try? await self.listener.close() }
}

/// One direction of a connection.
private final class ProxyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private let content: Proxy.Content
    private let shared: Proxy.Shared
    /// The beginning of a message whose end has not come yet.
    private var rest = ByteBuffer()
    /// Nothing overtakes what is held.
    private var heldUntil = NIODeadline.uptimeNanoseconds(0)

    init(to other: any Channel, carrying content: Proxy.Content, _ shared: Proxy.Shared) {
        self.other = other
        self.content = content
        self.shared = shared
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var piece = self.unwrapInboundIn(data)
        guard self.content == .messages else { return self.pass(piece, context) }
        self.rest.writeBuffer(&piece)
        while let length = self.rest.getInteger(at: self.rest.readerIndex, as: UInt32.self) {
            // Whatever is no message of the link's is passed on as it comes.
            let count = length <= 1 << 20 ? 4 + Int(length) : self.rest.readableBytes
            guard let message = self.rest.readSlice(length: count) else { break }
            self.pass(message, context)
        }
        self.rest.discardReadBytes()
    }

    private func pass(_ whole: ByteBuffer, _ context: ChannelHandlerContext) {
        var piece = whole
        switch self.shared.fate(of: piece.readableBytes) {
        case .pass: self.send(piece, context)
        case .cut(let count):
            if let part = piece.readSlice(length: count) { self.other.writeAndFlush(part, promise: nil) }
            self.other.close(promise: nil)
            context.close(promise: nil)
        case .hold(let milliseconds):
            self.heldUntil = .now() + .milliseconds(milliseconds)
            self.send(piece, context)
        case .duplicate:
            self.send(piece, context)
            self.send(piece, context)
        case .garble(let index):
            if let byte = piece.getInteger(at: piece.readerIndex + index, as: UInt8.self) {
                piece.setInteger(byte ^ 0x55, at: piece.readerIndex + index)
            }
            self.send(piece, context)
        }
    }

    private func send(_ piece: ByteBuffer, _ context: ChannelHandlerContext) {
        guard self.heldUntil > .now() else { return self.other.writeAndFlush(piece, promise: nil) }
        context.eventLoop.scheduleTask(deadline: self.heldUntil) { [other = self.other] in
            other.writeAndFlush(piece, promise: nil)
        }
        // Two that are due at the same moment may be run in either order.
        self.heldUntil = self.heldUntil + .microseconds(1)
    }

    func channelInactive(context: ChannelHandlerContext) {
        guard self.heldUntil > .now() else { return self.other.close(promise: nil) }
        context.eventLoop.scheduleTask(deadline: self.heldUntil) { [other = self.other] in other.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
