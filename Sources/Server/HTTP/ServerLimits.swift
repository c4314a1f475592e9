//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit

/// Bounds on what a client may take of the server. The defaults are those of docs/configuration.md.
public struct ServerLimits: Hashable, Sendable {
    /// No route may take a larger body, whatever it says of itself.
    public var bodyBytesMax: Int
    /// All header fields of a request together.
    public var headerBytesMax: Int
    /// How long a TLS handshake may take; how long a request's head may take to arrive, from its first byte; and how
    /// long its body, from the end of its head.
    public var receiveTimeoutMilliseconds: Int64
    /// How long a route may take to answer. What it has begun goes on. More than the acquirer's deadline.
    public var answerTimeoutMilliseconds: Int64
    /// How long a client may take over 32 KiB of an answer, once there are 64 KiB that it has not taken.
    public var sendTimeoutMilliseconds: Int64
    /// How long a connection may stay without a whole request head arriving, or a body without another byte.
    public var idleTimeoutMilliseconds: Int64
    /// How long a connection stays open after an answer that was given before the whole request had been read, so that
    /// the client can read it.
    public var lingerMilliseconds: Int64
    /// Connections of all listeners together. For one more, the one that has waited longest is closed.
    public var connectionsMax: Int
    /// Connections from one address, or from one IPv6 network of 64 bits; more are closed as they come.
    public var connectionsPerAddressMax: Int
    /// What the bodies of unfinished requests may take of the memory, from their first byte until the answer. Whatever
    /// comes beyond it is refused before anything is begun.
    public var unfinishedBodyBytesMax: Int
    /// Addresses of the operator's own proxies: any number of connections may come from there.
    public var proxyAddresses: ClientNetworks
    /// Requests that are worked on at a time; more are refused.
    public var requestsMax: Int
    /// How long the store may take over a change before requests are refused rather than begun.
    public var storeWaitMillisecondsMax: Int64

    public init(
        bodyBytesMax: Int = 1 << 20, headerBytesMax: Int = 32 * 1024, receiveTimeoutMilliseconds: Int64 = 15_000,
        answerTimeoutMilliseconds: Int64 = 45_000, sendTimeoutMilliseconds: Int64 = 30_000,
        idleTimeoutMilliseconds: Int64 = 60_000, lingerMilliseconds: Int64 = 1000, connectionsMax: Int = 16_384,
        connectionsPerAddressMax: Int = 512, unfinishedBodyBytesMax: Int = 64 << 20,
        proxyAddresses: ClientNetworks = ClientNetworks(), requestsMax: Int = 2048,
        storeWaitMillisecondsMax: Int64 = 5000
    ) {
        self.bodyBytesMax = bodyBytesMax
        self.headerBytesMax = headerBytesMax
        self.receiveTimeoutMilliseconds = receiveTimeoutMilliseconds
        self.answerTimeoutMilliseconds = answerTimeoutMilliseconds
        self.sendTimeoutMilliseconds = sendTimeoutMilliseconds
        self.idleTimeoutMilliseconds = idleTimeoutMilliseconds
        self.lingerMilliseconds = lingerMilliseconds
        self.connectionsMax = connectionsMax
        self.connectionsPerAddressMax = connectionsPerAddressMax
        self.unfinishedBodyBytesMax = unfinishedBodyBytesMax
        self.proxyAddresses = proxyAddresses
        self.requestsMax = requestsMax
        self.storeWaitMillisecondsMax = storeWaitMillisecondsMax
    }

    /// One address's part of ``unfinishedBodyBytesMax``: a quarter, and room for one body at least.
    var unfinishedBodyBytesPerAddressMax: Int {
        min(self.unfinishedBodyBytesMax, max(self.unfinishedBodyBytesMax / 4, self.bodyBytesMax))
    }
}
