//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hosts
import NIOCore
import NIOHTTP1
import Synchronization

/// The right to write one request, once. Whoever comes first decides: the connection that uses it, or the caller that
/// gives up and withdraws it.
///
/// The errors of an HTTP client do not say whether they came before the first byte: a reset during TLS and one after
/// the request are the same ECONNRESET. So nobody guesses from errors. A connection asks for the permit right before it
/// writes, and a request whose permit was withdrawn before that is never written.
final class SendPermit: Sendable {
    private enum State {
        case open
        case used
        case withdrawn
    }

    /// Whether the other end of the connection must be public.
    let needsPublicAddress: Bool
    private let state = Mutex(State.open)

    init(needsPublicAddress: Bool = false) {
        self.needsPublicAddress = needsPublicAddress
    }

    /// - Returns: whether the request may be written.
    func use() -> Bool { self.leave(to: .used) }

    /// - Returns: whether nothing was written. Then nothing will be.
    func withdraw() -> Bool { self.leave(to: .withdrawn) }

    private func leave(to next: State) -> Bool {
        self.state.withLock { state in
            guard state == .open else { return false }
            state = next
            return true
        }
    }
}

/// The permits of the requests that are under way, by a number that stands in a header field until the connection takes
/// it out: the client has no other way for something to travel with a request.
final class SendPermits: Sendable {
    static let headerName = "X-Pomona-Send-Permit"

    private struct State {
        var latest: UInt64 = 0
        var permits: [UInt64: SendPermit] = [:]
    }

    private let state = Mutex(State())

    func issue(needsPublicAddress: Bool = false) -> (id: UInt64, permit: SendPermit) {
        self.state.withLock { state in
            state.latest += 1
            let permit = SendPermit(needsPublicAddress: needsPublicAddress)
            state.permits[state.latest] = permit
            return (state.latest, permit)
        }
    }

    func forget(_ id: UInt64) {
        self.state.withLock { _ = $0.permits.removeValue(forKey: id) }
    }

    /// - Parameter address: the connection's other end; looked at where it must be public.
    /// - Returns: whether a request with this header field may be written there; not without one, and not twice.
    func use(_ text: String?, to address: @autoclosure () -> IPAddress?) -> Bool {
        guard let id = text.flatMap({ UInt64($0) }), let permit = self.state.withLock({ $0.permits[id] }),
            !permit.needsPublicAddress || address()?.isPublic == true
        else { return false }
        return permit.use()
    }
}

/// Stands between the HTTP client and its connection, and lets a request through that has its permit.
final class RequestGate: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The permit was withdrawn before the request was written, or is for another address.
    struct Withdrawn: Error {}

    private let permits: SendPermits
    private let bound: AnswerBytesBound
    private var isOpen = false

    private init(permits: SendPermits, bound: AnswerBytesBound) {
        self.permits = permits
        self.bound = bound
    }

    /// Puts the gate where requests are still parts rather than bytes, behind the decoder, and the bound before all
    /// that reads the connection.
    static func add(to channel: any Channel, permits: SendPermits, answerBytesMax: Int) throws {
        let pipeline = channel.pipeline.syncOperations
        let bound = AnswerBytesBound(bodyBytesMax: answerBytesMax)
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(RequestGate(permits: permits, bound: bound), position: .after(decoder))
        try pipeline.addHandler(bound, position: .first)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = self.unwrapOutboundIn(data) else {
            guard self.isOpen else {
                promise?.fail(Withdrawn())
                return
            }
            context.write(data, promise: promise)
            return
        }
        let permit = head.headers.first(name: SendPermits.headerName)
        head.headers.remove(name: SendPermits.headerName)
        self.isOpen = self.permits.use(
            permit, to: context.channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) })
        guard self.isOpen else {
            promise?.fail(Withdrawn())
            // Not at once: the handler that writes has not finished with this head.
            let channel = context.channel
            context.eventLoop.execute { channel.close(promise: nil) }
            return
        }
        self.bound.beginAnswer()
        context.write(self.wrapOutboundOut(.head(head)), promise: promise)
    }
}

/// Bounds what an acquirer may send for one request, whatever it says that it is sending.
///
/// The HTTP decoder bounds header fields, but neither the framing of chunks nor how many interim answers come before
/// the final one.
final class AnswerBytesBound: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    struct Exceeded: Error {}

    private let bytesMax: Int
    private var bytesCount = 0

    /// The body, and more than enough for a head, the framing and TLS.
    init(bodyBytesMax: Int) {
        self.bytesMax = bodyBytesMax + bodyBytesMax / 8 + 96 * 1024
    }

    func beginAnswer() { self.bytesCount = 0 }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.bytesCount += self.unwrapInboundIn(data).readableBytes
        guard self.bytesCount <= self.bytesMax else {
            context.fireErrorCaught(Exceeded())
            context.close(promise: nil)
            return
        }
        context.fireChannelRead(data)
    }
}
