//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
public import Logging
public import NIOCore
public import NIOPosix
public import Payments
import Synchronization

/// Serves an acquirer to gateways in other processes, over TCP.
///
/// A connection that has not shown the secret gets nothing but the acquirer's name and abilities, and is closed when
/// it takes too long. Requests of one connection are passed on as they come, and each is answered when its outcome is
/// known, in whatever order. A request that arrives twice is passed on twice: it is the acquirer that knows an
/// operation's id. What is said otherwise than in the link's language ends the connection; calls that it has begun are carried on.
///
/// It is meant for the loopback address or a private network: the requests hold card numbers and cryptograms. Use
/// ``AcquirerLinkTLS`` wherever others may listen.
public final class AcquirerLinkServer: Sendable {
    private struct State {
        var listener: (any Channel)?
        var connections: [ObjectIdentifier: any Channel] = [:]
        var isStopped = false
    }

    let acquirer: any Acquirer
    let description: AcquirerLinkDescription
    let secret: AcquirerLinkSecret
    let settings: AcquirerLinkSettings
    let random: @Sendable (Int) -> [UInt8]
    let handshakeDeadlines: Deadlines
    let logger: Logger
    private let tls: AcquirerLinkTLS?
    private let group: any EventLoopGroup
    private let state = Mutex(State())

    public init(
        _ acquirer: any Acquirer, secret: AcquirerLinkSecret, tls: AcquirerLinkTLS? = nil,
        settings: AcquirerLinkSettings = AcquirerLinkSettings(), surroundings: AcquirerLinkSurroundings,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger
    ) {
        self.acquirer = acquirer
        self.description = AcquirerLinkDescription(name: acquirer.name, capabilities: acquirer.capabilities)
        self.secret = secret
        self.tls = tls
        self.settings = settings
        self.random = surroundings.random
        self.handshakeDeadlines = Deadlines(
            milliseconds: settings.handshakeMilliseconds, sleep: surroundings.sleep, now: surroundings.now)
        self.group = group
        self.logger = logger
    }

    /// Begins to take connections.
    /// - Parameter port: 0 for any that is free.
    /// - Returns: the port.
    /// - Throws: ``AcquirerLinkError`` with `cannot_listen`.
    public func listen(host: String, port: Int) async throws(AcquirerLinkError) -> Int {
        let listener: any Channel
        do {
            listener = try await ServerBootstrap(group: self.group)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls = self.tls { try channel.pipeline.syncOperations.addHandler(tls.serverHandler()) }
                        try channel.pipeline.syncOperations.addHandlers([
                            ByteToMessageHandler(LinkFrameDecoder()), LinkServerHandler(self),
                        ])
                    }
                }
                .bind(host: host, port: port).get()
        } catch {
            throw Self.cannotListen
        }
        let isTaken = self.state.withLock { state in
            guard state.listener == nil, !state.isStopped else { return false }
            state.listener = listener
            return true
        }
        guard isTaken, let bound = listener.localAddress?.port else {
            listener.close(promise: nil)
            throw Self.cannotListen
        }
        self.logger.info("acquirer listens", metadata: ["acquirer": "\(self.description.name)", "port": "\(bound)"])
        return bound
    }

    private static var cannotListen: AcquirerLinkError {
        AcquirerLinkError(
            code: .cannotListen, reason: "the acquirer's address can't be listened on; choose another port or address")
    }

    /// Takes no more connections and ends those that there are. Calls that have been passed to the acquirer are carried
    /// on, but their answers don't arrive.
    public func stop() async {
        let channels = self.state.withLock { state in
            state.isStopped = true
            defer {
                state.listener = nil
                state.connections = [:]
            }
            return [state.listener].compactMap(\.self) + Array(state.connections.values)
        }
        for channel in channels { try? await channel.close() }
    }

    /// - Returns: whether there is room for it.
    func enter(_ channel: any Channel) -> Bool {
        self.state.withLock { state in
            guard !state.isStopped, state.connections.count < self.settings.connectionsMax else { return false }
            state.connections[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    func leave(_ channel: any Channel) {
        self.state.withLock { $0.connections[ObjectIdentifier(channel)] = nil }
    }
}
