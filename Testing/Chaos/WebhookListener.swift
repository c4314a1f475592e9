//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import StrictJSON
import Synchronization

/// Where the merchants of every dialect are notified of events.
final class WebhookListener: Sendable {
    /// What has arrived, in the order of the first arrival.
    final class Arrivals: Sendable {
        struct State {
            /// By what the dialect calls the payment.
            var messages: [String: [String]] = [:]
            var count = 0
            var repeatsCount = 0
        }

        let state = Mutex(State())

        func receive(_ message: String, of payment: String) {
            self.state.withLock { state in
                state.count += 1
                if state.messages[payment, default: []].contains(message) {
                    state.repeatsCount += 1
                } else {
                    state.messages[payment, default: []].append(message)
                }
            }
        }
    }

    let arrivals = Arrivals()
    let port: Int
    private let listener: any Channel

    init() async throws {
        let arrivals = self.arrivals
        self.listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(WebhookHandler(arrivals))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.port = self.listener.localAddress?.port ?? 0
    }

    func close() async { try? await self.listener.close() }

    /// What a message is called: the same for every attempt to deliver it, another for any other message.
    static func read(_ headers: HTTPHeaders, _ body: String) -> (payment: String, message: String)? {
        if headers.contains(name: "Merchant-Code"), let json = try? JSON.parse(body) { return self.readAlphaPay(json) }
        if let json = try? JSON.parse(body), json["rec_trade_id"] != nil {
            guard let order = json["order_number"]?.string else { return nil }
            return ("tappay/" + order, json["status"]?.integer == 0 ? "0 succeeded" : "0 failed")
        }
        if let id = headers.first(name: "X-Notification-ID") {
            guard let order = (try? JSON.parse(body))?["order"]?["id"]?.string else { return nil }
            return ("commweb/" + order, id)
        }
        if body.hasPrefix("key=") || body.contains("&txaction=") {
            let fields = Dictionary(
                body.split(separator: "&").compactMap { part in
                    let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
                    return halves.count == 2 ? (halves[0], halves[1]) : nil
                }, uniquingKeysWith: { first, _ in first })
            guard let reference = fields["reference"], let action = fields["txaction"] else { return nil }
            let isPending = fields["transaction_status"] == "pending"
            return ("payone/" + reference, "\(fields["sequencenumber"] ?? "") \(isPending ? "pending" : action)")
        }
        guard let order = Self.text(in: body, from: "<OrderId>", to: "</OrderId>") else { return nil }
        let context = Self.text(in: body, from: "<ClientContext>", to: "</ClientContext>")
        return ("radial/" + order, context ?? "cancel")
    }

    private static func readAlphaPay(_ json: JSON) -> (payment: String, message: String)? {
        if let refund = json["refundRequestId"]?.string {
            let parts = refund.split(separator: "-").map(String.init)
            guard parts.count == 2, let status = json["refundStatus"]?.string else { return nil }
            return ("alphapay/" + parts[0], "\(parts[1]) \(status == "SUCCESS" ? "succeeded" : "failed")")
        }
        guard let order = json["paymentRequestId"]?.string, let status = json["paymentStatus"]?.string else {
            return nil
        }
        return ("alphapay/" + order, "0 \(status == "FAILED" ? "failed" : "succeeded")")
    }

    private static func text(in body: String, from start: String, to end: String) -> String? {
        guard let opening = body.range(of: start),
            let closing = body.range(of: end, range: opening.upperBound..<body.endIndex)
        else { return nil }
        return String(body[opening.upperBound..<closing.lowerBound])
    }
}

/// Files what arrives and says so: CommWeb, Radial and TapPay take any 2xx, PAYONE wants "TSOK", AlphaPay a result.
private final class WebhookHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let alphaPayAnswer =
        #"{"result":{"resultCode":"SUCCESS","resultStatus":"S","resultMessage":"success"}}"#

    private let arrivals: WebhookListener.Arrivals
    private var headers = HTTPHeaders()
    private var body = ByteBuffer()

    init(_ arrivals: WebhookListener.Arrivals) {
        self.arrivals = arrivals
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            self.headers = head.headers
            self.body.clear()
        case .body(var part): self.body.writeBuffer(&part)
        case .end:
            let text = String(buffer: self.body)
            if let read = WebhookListener.read(self.headers, text) {
                self.arrivals.receive(read.message, of: read.payment)
            }
            let answer = self.headers.contains(name: "Merchant-Code") ? Self.alphaPayAnswer : "TSOK"
            let head = HTTPResponseHead(
                version: .http1_1, status: .ok,
                headers: ["Content-Length": String(answer.utf8.count), "Content-Type": "text/plain"])
            context.write(self.wrapOutboundOut(.head(head)), promise: nil)
            context.write(self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer)))), promise: nil)
            context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
