//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server that does on a real socket what no HTTP server would.
final class RawServer: Sendable {
    /// One connection, as the server's script sees it.
    struct Connection: Sendable {
        let channel: any Channel

        func send(_ bytes: [UInt8]) { self.channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

        func send(_ text: String) { self.send(Array(text.utf8)) }

        func close() { self.channel.close(promise: nil) }
    }

    /// What happens on a connection.
    enum Event: Sendable {
        case opened
        /// All that has come on this connection by now.
        case received([UInt8])
    }

    let port: Int
    private let listener: any Channel
    private let record: Record

    final class Record: Sendable {
        let connections = Mutex<[[UInt8]]>([])
    }

    /// - Parameters:
    ///   - tls: what the server shows; `nil` for a plain socket.
    ///   - script: what it does about an event.
    init(
        tls: NIOSSLContext? = nil, script: @escaping @Sendable (Connection, Event) -> Void
    ) async throws {
        let record = Record()
        self.record = record
        self.listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.addHandler(Handler(record, script))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.port = self.listener.localAddress?.port ?? 0
    }

    /// What came, by connection.
    var received: [[UInt8]] { self.record.connections.withLock { $0 } }

    var receivedText: String { self.received.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n") }

    func close() async { try? await self.listener.close() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let record: Record
        private let script: @Sendable (Connection, Event) -> Void
        private var index = 0
        private var bytes: [UInt8] = []

        init(_ record: Record, _ script: @escaping @Sendable (Connection, Event) -> Void) {
            self.record = record
            self.script = script
        }

        func channelActive(context: ChannelHandlerContext) {
            self.index = self.record.connections.withLock { connections in
                connections.append([])
                return connections.count - 1
            }
            self.script(Connection(channel: context.channel), .opened)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.bytes.append(contentsOf: self.unwrapInboundIn(data).readableBytesView)
            self.record.connections.withLock { $0[self.index] = self.bytes }
            self.script(Connection(channel: context.channel), .received(self.bytes))
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

/// Whether a request with a body has arrived whole.
func isWholeRequest(_ bytes: [UInt8], bodyCount: Int) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return false }
    return text[end.upperBound...].utf8.count >= bodyCount
}
