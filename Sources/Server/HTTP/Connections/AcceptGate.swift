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
final class AcceptGate: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    /// As many as NIO takes at a time, and some.
    private static let closedForRoom = 16

    private let table: ConnectionTable
    private let places: AdmittedPlaces
    private let telemetry: ConnectionTelemetry

    init(table: ConnectionTable, places: AdmittedPlaces, telemetry: ConnectionTelemetry) {
        self.table = table
        self.places = places
        self.telemetry = telemetry
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
            if let closing { self.close(closing) }
            context.fireChannelRead(data)
        case .addressFull:
            self.telemetry.addressFull.increment()
            channel.close(promise: nil)
        case .full:
            self.telemetry.full.increment()
            channel.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.telemetry.acceptFailures.increment()
        guard error is IOError else { return }
        for waiting in self.table.takeLongestWaiting(untilClosing: Self.closedForRoom) { self.close(waiting) }
        // NIO's own handler, next in the line, stops accepting for a second and goes no further with the error.
        context.fireErrorCaught(error)
    }

    private func close(_ channel: any Channel) {
        self.telemetry.count(.room)
        channel.close(promise: nil)
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
