//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestServing

/// A merchant's server on a free port of the loopback interface.
final class ShopServer: Sendable {
    struct Received: Sendable {
        let method: String
        let uri: String
        let headers: [String: String]
        let body: String
    }

    struct Reply: Sendable {
        var status = 200
        var headers: [(String, String)] = []
        var body = "ok"
    }

    private let reply: @Sendable (Received) async -> Reply
    private let requests = Mutex<[Received]>([])

    init(_ reply: @escaping @Sendable (Received) async -> Reply = { _ in Reply() }) {
        self.reply = reply
    }

    /// What has come in, in order.
    var received: [Received] { self.requests.withLock { $0 } }

    /// Serves while the body runs, and then what has come until then.
    func run(_ body: @Sendable (ShopServer, _ port: Int) async throws -> Void) async throws {
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            let buffer = try await request.body.collect(upTo: 1 << 20)
            var headers = Dictionary(
                request.headers.map { ($0.name.canonicalName, $0.value) }, uniquingKeysWith: { first, _ in first })
            headers["host"] = request.head.authority
            let received = Received(
                method: request.method.rawValue, uri: request.uri.description, headers: headers,
                body: String(buffer: buffer))
            self.requests.withLock { $0.append(received) }
            let answer = await self.reply(received)
            var response = Response(
                status: .init(code: answer.status), body: .init(byteBuffer: ByteBuffer(string: answer.body)))
            for (name, value) in answer.headers {
                if let name = HTTPField.Name(name) { response.headers[name] = value }
            }
            return response
        }
        try await LoopbackServer.run(responder) { port in try await body(self, port) }
    }
}
