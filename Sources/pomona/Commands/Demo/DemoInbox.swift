//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import StrictJSON
import Synchronization

/// The shop's address for notifications: a server on the loopback interface that keeps what it is sent.
final class DemoInbox: Sendable {
    static let path = "/notify"
    private let state = Mutex<[WireRequest]>([])

    /// Runs the body with the inbox's address, "http://127.0.0.1:40123/notify", while the inbox takes what comes.
    static func withInbox<Value: Sendable>(
        _ body: @escaping @Sendable (DemoInbox, String) async throws -> Value
    ) async throws -> Value {
        let inbox = DemoInbox()
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let router = Router()
        router.post("notify") { request, _ in
            let bytes = Array(try await request.body.collect(upTo: 1 << 16).readableBytesView)
            inbox.keep(request, bytes)
            let answer: JSON = [
                "result": ["resultCode": "SUCCESS", "resultStatus": "S", "resultMessage": "success"]
            ]
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(bytes: answer.serialized())))
        }
        let server = Hummingbird.Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                continuation.yield(channel.localAddress?.port ?? 0)
                continuation.finish()
            }, logger: Logger(label: "inbox") { _ in SwiftLogNoOpLogHandler() })
        return try await server.serve {
            guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
            return try await body(inbox, "http://127.0.0.1:\(port)\(Self.path)")
        }
    }

    private func keep(_ request: Request, _ body: [UInt8]) {
        let notification = WireRequest(
            method: request.method, path: request.uri.path, headers: request.headers, body: body)
        self.state.withLock { $0.append(notification) }
    }

    /// What has come, oldest first: as soon as there are so many, or when two seconds have passed.
    func notifications(atLeast count: Int) async throws -> [WireRequest] {
        for _ in 0..<80 {
            let notifications = self.state.withLock { $0 }
            if notifications.count >= count { return notifications }
            try await Task.sleep(for: .milliseconds(25))
        }
        return self.state.withLock { $0 }
    }
}
