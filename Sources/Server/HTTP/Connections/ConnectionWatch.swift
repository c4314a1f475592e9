//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOTLS

/// Cuts a connection that takes too long: over its TLS handshake, over the head of a request once it has begun, or over
/// reading its answer. Stands below HTTP, where every byte is seen.
///
/// The times are those of the whole thing, never from byte to byte. Between two requests Hummingbird's idle time applies,
/// to a body the server's own deadline. A request whose head comes in one piece, as nearly all do, sets no timer.
final class ConnectionWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let limits: ServerLimits
    private let table: ConnectionTable
    private let place: ConnectionTable.Place?
    private let telemetry: ConnectionTelemetry
    private var isHandshaking: Bool
    private var timers: [ConnectionTelemetry.Cut: Scheduled<Void>] = [:]
    /// Heads that have come, answers that have been given.
    private var headsCount = 0
    private var answersCount = 0
    /// Whether the body of the last head is still to come.
    private var isBodyComing = false
    private var context: ChannelHandlerContext?

    init(
        limits: ServerLimits, isTLS: Bool, table: ConnectionTable, place: ConnectionTable.Place?,
        telemetry: ConnectionTelemetry
    ) {
        self.limits = limits
        self.isHandshaking = isTLS
        self.table = table
        self.place = place
        self.telemetry = telemetry
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if self.isHandshaking { self.start(.handshake, self.limits.receiveTimeoutMilliseconds, context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for timer in self.timers.values { timer.cancel() }
        self.timers = [:]
        self.context = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent {
            self.isHandshaking = false
            self.stop(.handshake)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let headsBefore = self.headsCount
        let wasBody = self.isBodyComing
        context.fireChannelRead(data)
        // Bytes that were no body and ended no head begin one.
        if !wasBody, !self.isBodyComing, self.headsCount == headsBefore, self.timers[.head] == nil {
            self.start(.head, self.limits.receiveTimeoutMilliseconds, context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        // It becomes unwritable with 64 KiB that the client has not taken, and writable again with half of that.
        if context.channel.isWritable {
            self.stop(.answer)
        } else if self.timers[.answer] == nil {
            self.start(.answer, self.limits.sendTimeoutMilliseconds, context)
        }
        context.fireChannelWritabilityChanged()
    }

    // MARK: - What HTTP reports

    func headArrived() {
        self.headsCount += 1
        self.isBodyComing = true
        self.stop(.head)
    }

    func requestArrived() {
        self.isBodyComing = false
        // An answer may have been given before the end of its request.
        if let place = self.place, self.headsCount > self.answersCount { self.table.beginWork(place) }
    }

    func answerGiven() {
        self.answersCount += 1
        if let place = self.place, self.headsCount <= self.answersCount { self.table.wait(place) }
    }

    // MARK: - Timers

    private func start(_ cut: ConnectionTelemetry.Cut, _ milliseconds: Int64, _ context: ChannelHandlerContext) {
        let watch = NIOLoopBound(self, eventLoop: context.eventLoop)
        self.timers[cut] = context.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) {
            watch.value.expire(cut)
        }
    }

    private func stop(_ cut: ConnectionTelemetry.Cut) {
        guard !self.timers.isEmpty, let timer = self.timers.removeValue(forKey: cut) else { return }
        timer.cancel()
    }

    private func expire(_ cut: ConnectionTelemetry.Cut) {
        self.timers[cut] = nil
        guard let context = self.context else { return }
        // The head of the next request may be held up by the answer to the last one.
        if cut == .head, self.headsCount > self.answersCount {
            self.start(.head, self.limits.receiveTimeoutMilliseconds, context)
            return
        }
        self.telemetry.count(cut)
        context.close(promise: nil)
    }
}
