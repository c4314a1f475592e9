//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Foundation
import HTTPTypes
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

    init(host: String, port: Int, lanesCount: Int) {
        self.host = host
        self.port = port
        self.lanesCount = lanesCount
    }

    /// - Parameter announcement: a running sandbox's.
    init(_ announcement: JSON, lanesCount: Int) throws {
        guard let address = announcement["http"]?.string, let url = URL(string: address), let host = url.host(),
            let port = url.port
        else { throw BenchError("the sandbox announces no address") }
        self.init(host: host, port: port, lanesCount: lanesCount)
    }

    /// What came back.
    struct Answer {
        /// Of the request.
        let index: Int
        /// From when it was due.
        let seconds: Double
        let status: Int
        /// Head and body, read when somebody asks, which is after the clock has stopped.
        let bytes: [UInt8]
        let headLength: Int

        var reply: ClientReply {
            var headers = HTTPFields()
            for line in String(decoding: self.bytes.prefix(self.headLength), as: UTF8.self).split(separator: "\r\n") {
                let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                guard parts.count == 2, let name = HTTPField.Name(parts[0]) else { continue }
                headers.append(HTTPField(name: name, value: parts[1]))
            }
            return ClientReply(
                status: self.status, headers: headers, body: Array(self.bytes.dropFirst(self.headLength)))
        }
    }

    /// When requests are sent that do not wait for answers.
    enum Pace {
        case evenly(perSecond: Double)
        /// As independent customers come: with gaps of exponential lengths. Even ones fall in step with a server whose
        /// commits take about as long, in which case two runs of the same program differ by half.
        case atRandom(perSecond: Double)

        /// The seconds from the first request to each.
        func moments(_ count: Int) -> [Double] {
            switch self {
            case .evenly(let perSecond): return (0..<count).map { Double($0) / perSecond }
            case .atRandom(let perSecond):
                var moment = 0.0
                return (0..<count).map { _ in
                    moment -= log(Double.random(in: Double.leastNormalMagnitude...1)) / perSecond
                    return moment
                }
            }
        }
    }

    /// Sends all requests: as fast as the lanes go, or at a pace that does not wait for answers.
    /// - Returns: the answers, and the seconds from the first request to the last answer. Requests are written and
    ///   connections made before.
    func drive(
        _ requests: [ClientRequest], at pace: Pace? = nil
    ) async throws -> (answers: [Answer], seconds: Double) {
        let work = Work(
            requests: requests.map { $0.wireText(host: self.host) }, moments: pace?.moments(requests.count))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let result = try await self.drive(work, on: group)
            try await group.shutdownGracefully()
            return result
        } catch {
            try await group.shutdownGracefully()
            throw error
        }
    }

    private func drive(
        _ work: Work, on group: MultiThreadedEventLoopGroup
    ) async throws -> (answers: [Answer], seconds: Double) {
        let lanes = (0..<min(self.lanesCount, work.count)).map { _ in
            Lane(work: work, done: group.next().makePromise(of: [Answer].self))
        }
        var channels: [any Channel] = []
        for lane in lanes {
            channels.append(
                try await ClientBootstrap(group: group)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(lane) }
                    }
                    .connect(host: self.host, port: self.port).get())
        }
        let clock = ContinuousClock()
        let start = clock.now
        for channel in channels { channel.triggerUserOutboundEvent(Lane.Start(), promise: nil) }
        var answers: [Answer] = []
        for lane in lanes { answers += try await lane.done.futureResult.get() }
        return (answers, Harness.seconds(clock.now - start))
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
    var count: Int { self.requests.count }
    /// When each is due, in seconds from the first one's being taken; `nil` where it is due when it is taken.
    private let moments: [Double]?
    private let next = Atomic<Int>(0)
    private let started = Mutex<NIODeadline?>(nil)

    init(requests: [ByteBuffer], moments: [Double]?) {
        self.requests = requests
        self.moments = moments
    }

    /// The next request and when it is due.
    func take() -> Item? {
        let index = self.next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < self.requests.count else { return nil }
        guard let moments = self.moments else {
            return Item(index: index, bytes: self.requests[index], due: .now())
        }
        let started = self.started.withLock { started in
            let moment = started ?? .now()
            started = moment
            return moment
        }
        let due = started + .nanoseconds(Int64(moments[index] * 1e9))
        return Item(index: index, bytes: self.requests[index], due: due)
    }
}

/// One connection: a request, its answer, the next request.
///
/// Sendable unchecked: it is touched on its channel's event loop alone.
private final class Lane: ChannelDuplexHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What a connection is given once all are there.
    struct Start: Sendable {}

    let done: EventLoopPromise<[LoadGenerator.Answer]>
    private let work: Work
    private var answers: [LoadGenerator.Answer] = []
    private var current: Work.Item?
    private var answer = ByteBuffer()

    init(work: Work, done: EventLoopPromise<[LoadGenerator.Answer]>) {
        self.work = work
        self.done = done
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        promise?.succeed()
        if event is Start { self.next(context) }
    }

    private func next(_ context: ChannelHandlerContext) {
        guard let taken = self.work.take() else {
            self.done.succeed(self.answers)
            return context.close(promise: nil)
        }
        self.current = taken
        self.answer.clear()
        guard taken.due > .now() else { return self.send(context) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(deadline: taken.due) { bound.value.0.send(bound.value.1) }
    }

    private func send(_ context: ChannelHandlerContext) {
        guard let current = self.current else { return }
        context.writeAndFlush(self.wrapOutboundOut(current.bytes), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = self.unwrapInboundIn(data)
        self.answer.writeBuffer(&bytes)
        guard let current = self.current, let head = AnswerHead(self.answer.readableBytesView) else { return }
        guard let length = head.contentLength else { return self.fail(context, "an answer has no length") }
        guard self.answer.readableBytes >= head.length + length else { return }
        let seconds = Double((NIODeadline.now() - current.due).nanoseconds) / 1e9
        self.answers.append(
            LoadGenerator.Answer(
                index: current.index, seconds: seconds, status: head.status,
                bytes: Array(self.answer.readableBytesView), headLength: head.length))
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

/// Of an answer's head what a load generator asks (RFC 9112, section 4): read where the bytes lie, since the reader runs on
/// the cores that are measured.
private struct AnswerHead {
    /// Bytes up to the body.
    let length: Int
    let status: Int
    let contentLength: Int?

    private static let lengthField = Array("content-length:".utf8)

    /// - Returns: nil until the head is whole.
    init?(_ answer: ByteBufferView) {
        let head = answer.withUnsafeBytes { bytes -> (Int, Int, Int?)? in
            var lineStart = 0
            var contentLength: Int?
            while let lineFeed = bytes[lineStart...].firstIndex(of: 0x0A) {
                let line = bytes[lineStart..<lineFeed]
                // The line feed comes after a carriage return.
                if line.count <= 1 { return (lineFeed + 1, Self.number(bytes.dropFirst(9)) ?? 0, contentLength) }
                if line.count > Self.lengthField.count,
                    zip(line, Self.lengthField).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
                {
                    contentLength = Self.number(line.dropFirst(Self.lengthField.count))
                }
                lineStart = lineFeed + 1
            }
            return nil
        }
        guard let head else { return nil }
        (self.length, self.status, self.contentLength) = head
    }

    /// The decimal number after spaces.
    private static func number(_ bytes: UnsafeRawBufferPointer.SubSequence) -> Int? {
        let digits = bytes.drop { $0 == 0x20 }.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        return digits.prefix(18).reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }
}
