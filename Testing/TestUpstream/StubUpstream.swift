//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOHTTP1
import NIOPosix
public import NIOSSL
import Synchronization

/// One request, as the stub saw it.
public struct StubRequest: Sendable {
    public let method: String
    public let path: String
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]
    /// SHA-256 is not needed: the certificate's bytes are the test's own.
    public let clientCertificate: [UInt8]?

    public var text: String { String(decoding: self.body, as: UTF8.self) }

    public func header(_ name: String) -> String? {
        self.headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// What the stub answers.
public struct StubAnswer: Sendable {
    public var status: Int
    public var body: String
    public var headers: [(name: String, value: String)]
    /// The body where it is no text in UTF-8.
    public var bytes: [UInt8]?
    /// What has to happen before it is written, if anything has: an answer may come after its caller's deadline.
    public var waits: (@Sendable () async -> Void)?

    /// - Parameter headers: beside the length, and instead of the content type, which is JSON's if left out.
    public init(status: Int, body: String, headers: [(name: String, value: String)] = []) {
        self.status = status
        self.body = body
        self.headers = headers
    }
}

/// A server that answers as a test says, and keeps what it was sent.
public final class StubUpstream: Sendable {
    public typealias Script = @Sendable (_ request: StubRequest, _ number: Int) -> StubAnswer

    public let port: Int
    private let listener: any Channel
    private let kept: Kept

    private final class Kept: Sendable {
        let requests = Mutex<[StubRequest]>([])
        let script: Script

        init(_ script: @escaping Script) {
            self.script = script
        }

        func answer(_ request: StubRequest) -> StubAnswer {
            let number = self.requests.withLock { requests in
                requests.append(request)
                return requests.count
            }
            return self.script(request, number)
        }
    }

    /// - Parameters:
    ///   - tls: what the server shows and asks for; `nil` for plain HTTP.
    ///   - script: the answer to each request; the first has the number 1.
    public init(tls: NIOSSLContext? = nil, script: @escaping Script) async throws {
        let kept = Kept(script)
        self.kept = kept
        self.listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(Handler(kept))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.port = self.listener.localAddress?.port ?? 0
    }

    public var requests: [StubRequest] { self.kept.requests.withLock { $0 } }

    public func close() async { try? await self.listener.close() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let kept: Kept
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []

        init(_ kept: Kept) {
            self.kept = kept
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch self.unwrapInboundIn(data) {
            case .head(let head): (self.head, self.body) = (head, [])
            case .body(let part): self.body.append(contentsOf: part.readableBytesView)
            case .end:
                guard let head = self.head else { return }
                let certificate = try? context.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
                    .peerCertificate?.toDERBytes()
                let request = StubRequest(
                    method: head.method.rawValue, path: head.uri, headers: head.headers.map { ($0.name, $0.value) },
                    body: self.body, clientCertificate: certificate)
                self.write(self.kept.answer(request), once: context)
            }
        }

        private func write(_ answer: StubAnswer, once context: ChannelHandlerContext) {
            guard let wait = answer.waits else { return self.write(answer, context) }
            let loop = context.eventLoop
            let here = NIOLoopBound((self, context), eventLoop: loop)
            Task {
                await wait()
                loop.execute {
                    let (handler, context) = here.value
                    // Whoever gave up has closed the connection.
                    if context.channel.isActive { handler.write(answer, context) }
                }
            }
        }

        private func write(_ answer: StubAnswer, _ context: ChannelHandlerContext) {
            let body = answer.bytes ?? Array(answer.body.utf8)
            var headers = HTTPHeaders([("Content-Length", "\(body.count)")])
            if !answer.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
                headers.add(name: "Content-Type", value: "application/json")
            }
            for header in answer.headers { headers.add(name: header.name, value: header.value) }
            let head = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
            context.write(self.wrapOutboundOut(.head(head)), promise: nil)
            context.write(self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
            context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
