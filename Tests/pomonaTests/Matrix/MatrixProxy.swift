//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOPosix
import Synchronization

/// A TCP proxy between two gateways, which loses answers when a test says so, also on connections that stand already.
final class MatrixProxy: Sendable {
    let port: Int
    private let listener: any Channel
    private let state: State

    private final class State: Sendable {
        let target = Mutex(0)
        /// How many answers are still to be lost.
        let losses = Mutex(0)

        func takeLoss() -> Bool {
            self.losses.withLock { losses in
                guard losses > 0 else { return false }
                losses -= 1
                return true
            }
        }
    }

    init() async throws {
        let state = State()
        self.state = state
        self.listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop).channelOption(.autoRead, value: false)
                    .connect(host: "127.0.0.1", port: state.target.withLock { $0 })
                    .flatMap { server in
                        client.eventLoop.makeCompletedFuture {
                            try client.pipeline.syncOperations.addHandler(Way(to: server, loses: { false }))
                            try server.pipeline.syncOperations.addHandler(Way(to: client, loses: state.takeLoss))
                        }.map {
                            _ = client.setOption(.autoRead, value: true)
                            _ = server.setOption(.autoRead, value: true)
                        }
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.port = self.listener.localAddress?.port ?? 0
    }

    var url: String { "http://127.0.0.1:\(self.port)" }

    /// Where connections lead from now on.
    func lead(to port: Int) { self.state.target.withLock { $0 = port } }

    /// The next answers are not passed on: the connection ends instead.
    func loseAnswers(_ count: Int) { self.state.losses.withLock { $0 = count } }

    func close() async { try? await self.listener.close() }

    private final class Way: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let other: any Channel
        private let loses: () -> Bool

        init(to other: any Channel, loses: @escaping () -> Bool) {
            self.other = other
            self.loses = loses
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard self.loses() else {
                self.other.writeAndFlush(self.unwrapInboundIn(data), promise: nil)
                return
            }
            self.other.close(promise: nil)
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) { self.other.close(promise: nil) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
