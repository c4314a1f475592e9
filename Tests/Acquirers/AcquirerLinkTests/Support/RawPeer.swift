//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOPosix
import Synchronization

@testable import AcquirerLink

/// A server that does with each connection what a test says, and closes it when the test is through with it.
final class RawPeer: Sendable {
    /// - Parameter connection: counted from 1.
    typealias Script = @Sendable (_ connection: Int, _ wire: inout Wire) async throws -> Void

    let port: Int
    private let listener: any Channel
    private let count: Counter

    private final class Counter: Sendable {
        let value = Mutex(0)
    }

    /// How many connections have been made.
    var connectionsCount: Int { self.count.value.withLock { $0 } }

    init(_ script: @escaping Script) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let count = Counter()
        self.count = count
        self.listener = server.channel
        self.port = server.channel.localAddress?.port ?? 0
        Task {
            try await server.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await connection in connections {
                        let number = count.value.withLock { value in
                            value += 1
                            return value
                        }
                        group.addTask {
                            // A test's script ends as it likes; what counts is what the client made of it.
                            try? await connection.executeThenClose { inbound, outbound in
                                var wire = Wire(inbound, outbound)
                                try await script(number, &wire)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Takes no more connections. Those that there are end with their scripts, once the other ends have closed.
    ///
    /// A task that is cancelled while it takes connections drops those that it has not begun to serve, for which NIO ends
    /// the process (swift-nio, issue 2637).
    func close() { self.listener.close(promise: nil) }
}

/// A connection to a server, for a test to say on it what it likes.
func connect(port: Int, _ script: @Sendable (inout Wire) async throws -> Void) async throws {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
    try await channel.executeThenClose { inbound, outbound in
        var wire = Wire(inbound, outbound)
        try await script(&wire)
    }
}
