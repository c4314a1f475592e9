//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// An answer's body that is made while it is sent: a report of any length, or events for as long as somebody listens.
///
/// It is drawn, part by part: the next part is asked for when the client has room for it, so that a slow one costs one
/// part of memory. What was sent cannot be taken back: a stream that fails ends its connection without the end that
/// RFC 9112, section 7.1 asks for, by which a client knows that something is missing.
public struct WireStream: Sendable {
    /// The next part, or `nil` at the end. Asked for by one task, never two at a time; canceled when the client is gone.
    public let next: @Sendable () async throws -> [UInt8]?
    /// Called when the server is about to stop: whoever waits for events ends. What has an end by itself goes on to it.
    public let stop: @Sendable () -> Void
    /// Called once when no more is asked for, however it ended.
    public let end: @Sendable () -> Void

    public init(
        next: @escaping @Sendable () async throws -> [UInt8]?, stop: @escaping @Sendable () -> Void = {},
        end: @escaping @Sendable () -> Void = {}
    ) {
        self.next = next
        self.stop = stop
        self.end = end
    }

    /// All of it, for tests and for what is known to be short.
    public func collected() async throws -> [UInt8] {
        defer { self.end() }
        var bytes: [UInt8] = []
        while let part = try await self.next() { bytes += part }
        return bytes
    }
}
