//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Metrics
import NIOCore
import Synchronization

/// Stands first at a listening socket and decides which connections are taken.
///
/// One that is refused is closed before anything is set up for it. An error of accepting is never the listener's end:
/// when it has run out of file descriptors, it closes connections that wait, and NIO lets a moment pass before it accepts
/// again.
///
/// A connection that is refused, or has to go for another, has its file until its own event loop gets round to closing it.
/// On a busy machine many others may have come by then: with a few of them left no more are accepted until there are
/// fewer, and the kernel keeps those that come.
final class AcceptGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    /// As many as NIO takes at a time, and some.
    private static let closedForRoom = 16
    /// How many may be left whose event loops have not come to closing them. With those that NIO takes at a time, they must
    /// fit into the few files that ``FileDescriptorLimit`` leaves to the rest of the process.
    static let leavingMax = 4

    private let table: ConnectionTable
    private let places: AdmittedPlaces
    private let telemetry: ConnectionTelemetry
    private let leaving = LeavingConnections(max: AcceptGate.leavingMax)

    init(table: ConnectionTable, places: AdmittedPlaces, telemetry: ConnectionTelemetry) {
        self.table = table
        self.places = places
        self.telemetry = telemetry
    }

    /// Each is another look for connections that wait to be accepted.
    func read(context: ChannelHandlerContext) {
        if self.leaving.mayAccept() { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = self.unwrapInboundIn(data)
        switch self.table.admit(channel) {
        case .taken(let place, let closing):
            self.places.keep(place, of: channel)
            channel.closeFuture.whenComplete { [table, places, telemetry] _ in
                _ = places.take(channel)
                table.remove(place)
                telemetry.open.record(table.count)
            }
            self.telemetry.open.record(self.table.count)
            if let closing { self.close(closing, context) }
            context.fireChannelRead(data)
        case .addressFull:
            self.telemetry.addressFull.increment()
            self.leave(channel, context)
        case .full:
            self.telemetry.full.increment()
            self.leave(channel, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.telemetry.acceptFailures.increment()
        guard error is IOError else { return }
        for waiting in self.table.takeLongestWaiting(untilClosing: Self.closedForRoom) {
            self.close(waiting, context)
        }
        // NIO's own handler, next in the line, stops accepting for a second and goes no further with the error.
        context.fireErrorCaught(error)
    }

    private func close(_ channel: any Channel, _ context: ChannelHandlerContext) {
        self.telemetry.count(.room)
        self.leave(channel, context)
    }

    private func leave(_ channel: any Channel, _ context: ChannelHandlerContext) {
        self.leaving.begin()
        let listener = context.channel
        channel.close(promise: nil)
        // Runs after that. TLS may say goodbye for longer: a client that does not answer must keep nobody else out.
        channel.eventLoop.execute { [leaving] in
            // Through all handlers, as NIO itself asks: its own may have reason to wait longer.
            if leaving.end() { listener.read() }
        }
    }
}

/// How many connections of a listener have been asked to close by event loops that have not come to it yet.
private final class LeavingConnections: Sendable {
    private struct State {
        var count = 0
        var isHeldBack = false
    }

    private let max: Int
    private let state = Mutex(State())

    init(max: Int) {
        self.max = max
    }

    /// - Returns: `false` where there are too many; then ``end()`` says when there are not any more.
    func mayAccept() -> Bool {
        self.state.withLock { state in
            state.isHeldBack = state.count >= self.max
            return !state.isHeldBack
        }
    }

    func begin() { self.state.withLock { $0.count += 1 } }

    /// - Returns: whether somebody was held back, and need not be any more.
    func end() -> Bool {
        self.state.withLock { state in
            state.count -= 1
            guard state.isHeldBack, state.count < self.max else { return false }
            state.isHeldBack = false
            return true
        }
    }
}

/// Where a listener's connections stand in the table, from the moment they are taken until they are set up.
final class AdmittedPlaces: Sendable {
    private let places = Mutex<[ObjectIdentifier: ConnectionTable.Place]>([:])

    func keep(_ place: ConnectionTable.Place, of channel: any Channel) {
        self.places.withLock { $0[ObjectIdentifier(channel)] = place }
    }

    func take(_ channel: any Channel) -> ConnectionTable.Place? {
        self.places.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }
}
