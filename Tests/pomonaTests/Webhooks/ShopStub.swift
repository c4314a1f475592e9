//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TestServing

@testable import pomona

/// A shop's server on a free port of the loopback interface.
final class ShopStub: Sendable {
    struct Received: Sendable {
        let path: String
        let headers: HTTPFields
        let body: [UInt8]

        func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { self.headers[$0] } }
    }

    struct Reply: Sendable {
        var status = 200
        var contentType: String?
        var body: [UInt8] = []
    }

    private let state = Mutex<[Received]>([])
    private let reply: @Sendable (Received) async -> Reply

    init(_ reply: @escaping @Sendable (Received) async -> Reply) {
        self.reply = reply
    }

    var received: [Received] { self.state.withLock { $0 } }

    /// Serves while the body runs.
    func run(_ body: @escaping @Sendable (_ url: String) async throws -> Void) async throws {
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            let bytes = Array(try await request.body.collect(upTo: 1 << 21).readableBytesView)
            let received = Received(path: request.uri.description, headers: request.headers, body: bytes)
            self.state.withLock { $0.append(received) }
            let reply = await self.reply(received)
            var headers = HTTPFields()
            if let contentType = reply.contentType { headers[.contentType] = contentType }
            return Response(
                status: .init(code: reply.status), headers: headers,
                body: .init(byteBuffer: ByteBuffer(bytes: reply.body)))
        }
        try await LoopbackServer.run(responder) { port in try await body("http://127.0.0.1:\(port)") }
    }
}
