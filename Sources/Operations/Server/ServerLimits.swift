//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Bounds on what a client may take of the server. The defaults are those of docs/configuration.md.
public struct ServerLimits: Hashable, Sendable {
    /// No route may take a larger body, whatever it says of itself.
    public var bodyBytesMax: Int
    /// All header fields of a request together.
    public var headerBytesMax: Int
    /// How long a request's body may take to arrive, from the end of its head.
    public var receiveTimeoutMilliseconds: Int64
    /// How long a route may take to answer. What it has begun goes on. More than the acquirer's deadline.
    public var answerTimeoutMilliseconds: Int64
    /// How long a connection may stay without a whole request head arriving, or a body without another byte.
    public var idleTimeoutMilliseconds: Int64
    /// How long a connection stays open after an answer that was given before the whole request had been read, so that
    /// the client can read it.
    public var lingerMilliseconds: Int64
    /// Connections of one listener; more wait in the kernel's queue.
    public var connectionsMax: Int
    /// Requests that are worked on at a time; more are refused.
    public var requestsMax: Int

    public init(
        bodyBytesMax: Int = 1 << 20, headerBytesMax: Int = 32 * 1024, receiveTimeoutMilliseconds: Int64 = 15_000,
        answerTimeoutMilliseconds: Int64 = 30_000, idleTimeoutMilliseconds: Int64 = 60_000,
        lingerMilliseconds: Int64 = 1000, connectionsMax: Int = 4096, requestsMax: Int = 2048
    ) {
        self.bodyBytesMax = bodyBytesMax
        self.headerBytesMax = headerBytesMax
        self.receiveTimeoutMilliseconds = receiveTimeoutMilliseconds
        self.answerTimeoutMilliseconds = answerTimeoutMilliseconds
        self.idleTimeoutMilliseconds = idleTimeoutMilliseconds
        self.lingerMilliseconds = lingerMilliseconds
        self.connectionsMax = connectionsMax
        self.requestsMax = requestsMax
    }
}
