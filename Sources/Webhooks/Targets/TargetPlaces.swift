//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Synchronization

/// How many attempts merchants' servers may have under way, so that one that is slow, or dozens that are gone, keep nobody
/// else's notifications waiting.
///
/// One whose last three attempts ended within a second each has as many as there are. One that is not known yet, or was slow,
/// has four; one that let an attempt run out of time has one until it answers again. All of these together leave a fourth of
/// the worker's places to the others.
final class TargetPlaces: Sendable {
    /// A server, whatever is asked of it.
    private struct Server: Hashable {
        let host: String
        let port: Int

        /// - Returns: `nil` for what is no address, which fails by itself.
        init?(_ text: String) {
            guard let target = NotificationTarget(text) else { return nil }
            (self.host, self.port) = (target.host, target.port)
        }
    }

    private struct Standing {
        /// How many attempts in a row ended within a second.
        var quickCount = 0
        var timeoutsCount: Int64 = 0
        var underWayCount = 0
        /// How long its last attempt took; `nil` where none has ended.
        var seconds: Int64?
        /// How many were held since an attempt ended.
        var heldCount: Int64 = 0

        var isQuick: Bool { self.quickCount >= 3 }

        var placesMax: Int {
            if self.timeoutsCount > 0 { return 1 }
            return self.isQuick ? .max : 4
        }

        /// Of the places that are for the doubtful how many it has.
        var doubtfulCount: Int { self.isQuick ? 0 : self.underWayCount }
    }

    private struct State {
        var servers: [Server: Standing] = [:]
        var doubtfulCount = 0
        /// How many were held for want of places of the doubtful since an attempt ended.
        var heldCount: Int64 = 0

        mutating func change(_ server: Server, _ change: (inout Standing) -> Void) {
            var standing = self.servers[server] ?? Standing()
            self.doubtfulCount -= standing.doubtfulCount
            change(&standing)
            self.doubtfulCount += standing.doubtfulCount
            self.servers[server] = standing
        }
    }

    /// More are forgotten, but for those that have attempts under way, and found again by the next ones.
    private static let serversMax = 10_000
    private static let holdSecondsMax: Int64 = 60
    private static let quickMilliseconds: Int64 = 1000

    private let timeoutSeconds: Int64
    private let doubtfulMax: Int
    private let state = Mutex(State())

    init(_ settings: WebhookSettings) {
        self.timeoutSeconds = settings.timeoutSeconds
        self.doubtfulMax = settings.concurrencyMax - settings.concurrencyMax / 4
    }

    /// What a server did with an attempt.
    struct Sending: Sendable {
        let milliseconds: Int64
        let hasTimedOut: Bool
    }

    /// Whether there may be an attempt at a target now. It must end with ``ended(_:_:)``.
    /// - Returns: how long it has to wait instead: the longer its server is silent, the longer; `nil` when it need not.
    func holdSeconds(_ target: String) -> Int64? {
        guard let server = Server(target) else { return nil }
        return self.state.withLock { state in
            let standing = state.servers[server] ?? Standing()
            guard standing.underWayCount < standing.placesMax else {
                state.change(server) { $0.heldCount += 1 }
                return Swift.min(self.holdSeconds(standing), Self.holdSecondsMax)
            }
            guard standing.isQuick || state.doubtfulCount < self.doubtfulMax else {
                state.heldCount += 1
                return Swift.min(1 + state.heldCount / Int64(self.doubtfulMax), Self.holdSecondsMax)
            }
            state.change(server) { $0.underWayCount += 1 }
            return nil
        }
    }

    /// Until there is room, as far as one can say: what waits is not taken up again and again meanwhile.
    private func holdSeconds(_ standing: Standing) -> Int64 {
        guard standing.timeoutsCount == 0 else { return self.timeoutSeconds * standing.timeoutsCount }
        // What nobody has tried yet is known in a moment.
        guard let seconds = standing.seconds else { return 1 }
        return seconds * (1 + standing.heldCount / Int64(standing.placesMax))
    }

    /// - Parameter sending: `nil` where nothing was sent, which says nothing of the server.
    func ended(_ target: String, _ sending: Sending?) {
        guard let server = Server(target) else { return }
        self.state.withLock { state in
            state.change(server) { standing in
                standing.underWayCount = Swift.max(0, standing.underWayCount - 1)
                standing.heldCount = 0
                guard let sending else { return }
                let isQuick = !sending.hasTimedOut && sending.milliseconds <= Self.quickMilliseconds
                standing.timeoutsCount = sending.hasTimedOut ? standing.timeoutsCount + 1 : 0
                standing.quickCount = isQuick ? Swift.min(standing.quickCount + 1, 3) : 0
                standing.seconds = Swift.max(1, sending.milliseconds / 1000)
            }
            state.heldCount = 0
            if state.servers.count > Self.serversMax {
                state.servers = state.servers.filter { $0.value.underWayCount > 0 }
            }
        }
    }
}
