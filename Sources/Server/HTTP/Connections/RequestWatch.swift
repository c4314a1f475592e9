//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOHTTP1

/// Notifies the watch of heads, requests and answers. Stands right above HTTP's encoder and decoder.
final class RequestWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let watch: ConnectionWatch
    /// Requests whose answers have not been written whole.
    private var openCount = 0

    init(_ watch: ConnectionWatch) {
        self.watch = watch
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            self.watch.headArrived()
            // Between the parts of an earlier answer it would be taken for its end.
            if self.openCount == 0, Self.awaitsContinue(head) {
                let go = HTTPResponseHead(version: head.version, status: .continue)
                context.writeAndFlush(self.wrapOutboundOut(.head(go)), promise: nil)
            }
            self.openCount += 1
            if let completed = head.complete {
                context.fireChannelRead(self.wrapInboundOut(.head(completed)))
                return
            }
        case .body: break
        case .end: self.watch.requestArrived()
        }
        context.fireChannelRead(data)
    }

    /// Some clients wait up to a second before they send a body, for a word that it is welcome (RFC 9110, section 10.1.1).
    private static func awaitsContinue(_ head: HTTPRequestHead) -> Bool {
        guard head.version == .http1_1, let expected = head.headers.first(name: "Expect") else { return false }
        return expected.lowercased() == "100-continue"
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = self.unwrapOutboundIn(data) {
            self.openCount -= 1
            self.watch.answerGiven()
        }
        context.write(data, promise: promise)
    }
}
