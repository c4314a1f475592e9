//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import Server

/// What becomes of connections where there are no files for them.
@Suite struct AcceptGateTests {
    @Test func closesThoseThatHaveWaitedLongestWhenThereAreNoFileDescriptors() throws {
        let registry = PrometheusRegistry()
        let gate = AcceptGate(
            table: ConnectionTable(connectionsMax: 100, perNetworkMax: 100), places: AdmittedPlaces(),
            telemetry: ConnectionTelemetry(factory: registry))
        let listener = EmbeddedChannel(handler: gate)
        let channels = (0..<40).map { _ in EmbeddedChannel() }
        for channel in channels { listener.pipeline.fireChannelRead(channel as any Channel) }
        #expect(try listener.readInbound(as: (any Channel).self) === channels[0])
        listener.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
        for (index, channel) in channels.enumerated() {
            channel.embeddedEventLoop.run()
            #expect(channel.closeFuture.isFulfilled == (index < 16), "\(index)")
        }
        let text = registry.exposition()
        #expect(text.contains("pomona_http_accept_failures_total 1\n"))
        #expect(text.contains("pomona_http_connections_cut_total{reason=\"room\"} 16\n"))
        // NIO's own handler is to hear of it, and to let a moment pass.
        #expect(throws: IOError.self) { try listener.throwIfErrorCaught() }
    }

    /// Each connection that goes for another has its file until its own event loop has closed it: of those there are no more
    /// than so many, however slow the loops are.
    @Test func acceptsNoMoreWhileManyAreStillClosing() throws {
        let asked = AskedReads()
        let gate = AcceptGate(
            table: ConnectionTable(connectionsMax: 2, perNetworkMax: 100), places: AdmittedPlaces(),
            telemetry: ConnectionTelemetry(factory: PrometheusRegistry()))
        let listener = EmbeddedChannel(handlers: [asked, gate])
        // Two stay; for each further one another has to go, which it does not before its loop runs.
        let most = AcceptGate.leavingMax
        let channels = (0..<2 + most + 2).map { _ in EmbeddedChannel() }
        for (index, channel) in channels.enumerated() {
            listener.pipeline.fireChannelRead(channel as any Channel)
            listener.read()
            #expect(asked.count == min(index, most) + 1, "\(index)")
        }
        // There are two more than may be; with one less than that another is accepted.
        let before = asked.count
        for index in 0..<2 {
            channels[index].embeddedEventLoop.run()
            #expect(asked.count == before, "\(index)")
        }
        channels[2].embeddedEventLoop.run()
        #expect(asked.count == before + 1, "who was held back is asked for at once")
        channels[3].embeddedEventLoop.run()
        #expect(asked.count == before + 1, "and once")
        listener.read()
        #expect(asked.count == before + 2)
    }

    /// Stands between a gate and the socket.
    private final class AskedReads: ChannelOutboundHandler {
        typealias OutboundIn = Never
        private(set) var count = 0

        func read(context: ChannelHandlerContext) {
            self.count += 1
            context.read()
        }
    }

    @Test(arguments: [
        (16384, 65536, 16384), (16384, 16384, 15872), (16384, 1024, 512), (16384, 600, 150), (16384, 80, 20),
        (256, 1024, 256), (256, 80, 20),
    ])
    func connectionsLeaveFileDescriptorsToTheRest(wanted: Int, limit: Int, count: Int) {
        #expect(FileDescriptorLimit.connections(wanted, of: limit) == count)
    }
}

extension EventLoopFuture {
    /// Of an embedded loop, on which whatever can be done is done at once.
    fileprivate var isFulfilled: Bool {
        let box = Flag()
        self.assumeIsolatedUnsafeUnchecked().whenComplete { _ in box.isSet = true }
        return box.isSet
    }

    private final class Flag {
        var isSet = false
    }
}
