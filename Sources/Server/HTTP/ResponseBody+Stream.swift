//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Hummingbird
import NIOCore
import ServiceLifecycle

extension ResponseBody {
    /// Draws one part after the other, each when the one before has left for the client.
    /// - Parameter eventLoop: the connection's.
    init(stream: WireStream, on eventLoop: any EventLoop) {
        self.init(contentLength: nil) { writer in
            defer { stream.end() }
            // What is drawn is finite, or ends when the server is about to stop, so that draining has an end.
            while let part = try await Self.next(of: stream) {
                try await writer.write(ByteBuffer(bytes: part))
                // A writer waits for a client that takes nothing as soon as the event loop has said so. One that is busy with
                // something else says nothing, and a quick stream would be drawn to its end meanwhile, into memory.
                try await eventLoop.submit {}.get()
            }
            try await writer.finish(nil)
        }
    }

    private static func next(of stream: WireStream) async throws -> [UInt8]? {
        try await withGracefulShutdownHandler {
            try await stream.next()
        } onGracefulShutdown: {
            stream.stop()
        }
    }
}
