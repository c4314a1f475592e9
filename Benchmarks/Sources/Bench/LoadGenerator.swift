//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Foundation
import NIOCore
import NIOPosix
import StrictJSON
import Synchronization

/// Sends HTTP/1.1 requests over connections that stay open, as cheaply as it can: it runs on the cores of the server that
/// it measures. Requests are written as they will be sent before the first leaves.
struct LoadGenerator {
    let host: String
    let port: Int
    let lanesCount: Int

    /// - Parameter announcement: a running sandbox's.
    init(_ announcement: JSON, lanesCount: Int) throws {
        guard let address = announcement["http"]?.string, let url = URL(string: address), let host = url.host(),
            let port = url.port
        else { throw BenchError("the sandbox announces no address") }
        self.host = host
        self.port = port
        self.lanesCount = lanesCount
    }

    /// What came back.
    struct Answer {
        /// Of the request.
        let index: Int
        /// From when it was due.
        let seconds: Double
        let reply: ClientReply
    }

    /// Sends all requests: as fast as the lanes go, or at a steady pace that does not wait for answers.
    func drive(_ requests: [ClientRequest], perSecond: Double? = nil) async throws -> [Answer] {
        let work = Work(requests: requests.map { $0.wireText(host: self.host) }, perSecond: perSecond)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let lanes = (0..<min(self.lanesCount, requests.count)).map { _ in
            Lane(work: work, done: group.next().makePromise(of: [Answer].self))
        }
        for lane in lanes {
            let connection = ClientBootstrap(group: group)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(lane) }
                }
                .connect(host: self.host, port: self.port)
            connection.whenFailure { lane.done.fail($0) }
        }
        do {
            var answers: [Answer] = []
            for lane in lanes { answers += try await lane.done.futureResult.get() }
            try await group.shutdownGracefully()
            return answers
        } catch {
            try await group.shutdownGracefully()
            throw error
        }
    }
}

extension ClientRequest {
    fileprivate func wireText(host: String) -> ByteBuffer {
        var text = "\(self.method.rawValue) \(self.path) HTTP/1.1\r\nHost: \(host)\r\n"
        for (name, value) in self.headers { text += "\(name): \(value.reveal())\r\n" }
        let body = self.body.reveal()
        text += "Content-Length: \(body.count)\r\n\r\n"
        var buffer = ByteBuffer(string: text)
        buffer.writeBytes(body)
        return buffer
    }
}

/// What the lanes take from.
private final class Work: Sendable {
    struct Item: Sendable {
        let index: Int
        let bytes: ByteBuffer
        let due: NIODeadline
    }

    private let requests: [ByteBuffer]
    private let perSecond: Double?
    private let next = Atomic<Int>(0)
    private let started = Mutex<NIODeadline?>(nil)

    init(requests: [ByteBuffer], perSecond: Double?) {
        self.requests = requests
        self.perSecond = perSecond
    }

    /// The next request and when it is due.
    func take() -> Item? {
        let index = self.next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < self.requests.count else { return nil }
        guard let perSecond = self.perSecond else {
            return Item(index: index, bytes: self.requests[index], due: .now())
        }
        let started = self.started.withLock { started in
            let moment = started ?? .now()
            started = moment
            return moment
        }
        let due = started + .nanoseconds(Int64(Double(index) / perSecond * 1e9))
        return Item(index: index, bytes: self.requests[index], due: due)
    }
}

/// One connection: a request, its answer, the next request. It lives on its channel's event loop.
private final class Lane: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let done: EventLoopPromise<[LoadGenerator.Answer]>
    private let work: Work
    private var answers: [LoadGenerator.Answer] = []
    private var current: Work.Item?
    private var answer = Data()

    init(work: Work, done: EventLoopPromise<[LoadGenerator.Answer]>) {
        self.work = work
        self.done = done
    }

    func channelActive(context: ChannelHandlerContext) {
        self.next(context)
    }

    private func next(_ context: ChannelHandlerContext) {
        guard let taken = self.work.take() else {
            self.done.succeed(self.answers)
            return context.close(promise: nil)
        }
        self.current = taken
        self.answer.removeAll(keepingCapacity: true)
        guard taken.due > .now() else { return self.send(context) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(deadline: taken.due) { bound.value.0.send(bound.value.1) }
    }

    private func send(_ context: ChannelHandlerContext) {
        guard let current = self.current else { return }
        context.writeAndFlush(self.wrapOutboundOut(current.bytes), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.answer.append(contentsOf: self.unwrapInboundIn(data).readableBytesView)
        guard let current = self.current, let headEnd = self.answer.range(of: Data("\r\n\r\n".utf8)) else { return }
        let head = String(decoding: self.answer[..<headEnd.lowerBound], as: UTF8.self).lowercased()
        let length = head.components(separatedBy: "\r\n").first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) }
        guard let length else { return self.fail(context, "an answer has no length") }
        guard self.answer.count >= headEnd.upperBound + length else { return }
        let seconds = Double((NIODeadline.now() - current.due).nanoseconds) / 1e9
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let reply = ClientReply(status: status, body: Array(self.answer[headEnd.upperBound...]))
        self.answers.append(LoadGenerator.Answer(index: current.index, seconds: seconds, reply: reply))
        self.next(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.done.fail(BenchError("the server has closed a connection"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.done.fail(error)
        context.close(promise: nil)
    }

    private func fail(_ context: ChannelHandlerContext, _ message: String) {
        self.done.fail(BenchError(message))
        context.close(promise: nil)
    }
}
