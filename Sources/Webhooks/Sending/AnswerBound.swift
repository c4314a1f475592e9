//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore

/// Bounds what a merchant's server may send in all, whatever it says that it is sending.
///
/// The HTTP decoder bounds header fields, but neither a status line's reason nor the framing of chunks nor how many
/// interim answers come before the final one; and who answers a webhook may be anybody.
final class AnswerBound: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    struct Exceeded: Error {}

    /// The body, and more than enough for a head, the framing and TLS.
    static let bytesMax = NotificationSender.answerBytesMax + 96 * 1024

    private var bytesCount = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.bytesCount += self.unwrapInboundIn(data).readableBytes
        guard self.bytesCount <= Self.bytesMax else {
            context.fireErrorCaught(Exceeded())
            context.close(promise: nil)
            return
        }
        context.fireChannelRead(data)
    }

    /// Puts a bound before everything else that reads the connection.
    @Sendable static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(AnswerBound(), position: .first)
        }
    }
}
