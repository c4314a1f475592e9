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
    init(stream: WireStream) {
        self.init(contentLength: nil) { writer in
            defer { stream.end() }
            // What is drawn is finite, or ends when the server is about to stop, so that draining has an end.
            while let part = try await Self.next(of: stream) { try await writer.write(ByteBuffer(bytes: part)) }
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
