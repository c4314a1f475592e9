//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The numbers of a link.
public struct AcquirerLinkSettings: Hashable, Sendable {
    /// Of the client: how long a call may take, the connecting included. Not less than the gateway's own deadline,
    /// which is the one that counts; this one makes sure that no call is kept for ever.
    public var callMilliseconds: Int64
    /// How long connecting and shaking hands may take, at either end.
    public var handshakeMilliseconds: Int64
    /// Of the client: how long it leaves a server alone after the first failed attempt to connect, and at the most; the
    /// time doubles with each attempt. Calls are answered at once meanwhile.
    public var backoffMillisecondsMin: Int64
    public var backoffMillisecondsMax: Int64
    /// How many calls may be under way: of a client, and for a server in each connection.
    public var callsMax: Int
    /// Of the server: how many connections it keeps.
    public var connectionsMax: Int
    /// Of the server: how long the receipt of a notice is awaited.
    public var noticeMilliseconds: Int64
    /// Of the server: how long until a notice is sent again that no gateway has booked.
    public var noticePauseMilliseconds: Int64

    public init(
        callMilliseconds: Int64 = 45_000, handshakeMilliseconds: Int64 = 5000, backoffMillisecondsMin: Int64 = 50,
        backoffMillisecondsMax: Int64 = 2000, callsMax: Int = 4096, connectionsMax: Int = 256,
        noticeMilliseconds: Int64 = 5000, noticePauseMilliseconds: Int64 = 1000
    ) {
        self.callMilliseconds = callMilliseconds
        self.handshakeMilliseconds = handshakeMilliseconds
        self.backoffMillisecondsMin = backoffMillisecondsMin
        self.backoffMillisecondsMax = backoffMillisecondsMax
        self.callsMax = callsMax
        self.connectionsMax = connectionsMax
        self.noticeMilliseconds = noticeMilliseconds
        self.noticePauseMilliseconds = noticePauseMilliseconds
    }
}

/// What a link takes from its surroundings.
public struct AcquirerLinkSurroundings: Sendable {
    /// Returns after that time, or throws earlier when its task is cancelled.
    public var sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    public var now: @Sendable () -> ContinuousClock.Instant
    /// That many bytes from a cryptographically secure source.
    public var random: @Sendable (Int) -> [UInt8]

    public init(
        sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        random: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.sleep = sleep
        self.now = now
        self.random = random
    }
}
