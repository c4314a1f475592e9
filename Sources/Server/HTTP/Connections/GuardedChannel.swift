//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Sets connections up as another does, with a watch over each.
struct GuardedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let limits: ServerLimits
    let isTLS: Bool
    let table: ConnectionTable
    let places: AdmittedPlaces
    let telemetry: ConnectionTelemetry

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        // The few that come before the gate stands have no place: they are watched, and not counted.
        let place = self.places.take(channel)
        return channel.eventLoop.makeCompletedFuture {
            let watch = ConnectionWatch(
                limits: self.limits, isTLS: self.isTLS, table: self.table, place: place, telemetry: self.telemetry)
            try channel.pipeline.syncOperations.addHandler(watch)
            // What is read at a time, and so what can lie in the pipeline while nobody takes it, is outside the budget
            // for bodies: NIO's standard of 64 KiB would be ten times that for every connection.
            try channel.syncOptions?.setOption(.recvAllocator, value: Self.receiveAllocator)
            return NIOLoopBound(watch, eventLoop: channel.eventLoop)
        }.flatMap { watch in
            self.base.setup(channel: channel, logger: logger).flatMapThrowing { value in
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                try pipeline.addHandler(RequestWatch(watch.value), position: .after(decoder))
                return value
            }
        }
    }

    private static var receiveAllocator: AdaptiveRecvByteBufferAllocator {
        AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16 * 1024)
    }

    func handle(value: Base.Value, logger: Logger) async {
        await self.base.handle(value: value, logger: logger)
    }
}
