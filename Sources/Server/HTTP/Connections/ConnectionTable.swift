//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import NIOCore
import Synchronization

/// The open connections of a server, on all its listeners: how many there are, from where, and which of them wait.
///
/// A connection waits as long as no request of it is being worked on: while its TLS handshake, its head or its body is
/// still arriving, and between two requests. Where there is no room for another connection, the one that has waited
/// longest is closed: so no number of idle or slow connections keeps a client out.
final class ConnectionTable: Sendable {
    /// A connection's place in the table.
    struct Place: Hashable, Sendable {
        fileprivate let index: Int
    }

    enum Admission: Sendable {
        /// - Parameter closing: the connection that has to go for it.
        case taken(Place, closing: (any Channel)?)
        /// Its address has as many as it may have.
        case addressFull
        /// There are as many as there may be, and all of them are being worked for.
        case full
    }

    private struct Entry {
        var channel: (any Channel)?
        var network: ClientNetwork?
        /// The neighbors among those that wait; -1 for none.
        var earlier = -1
        var later = -1
        var isWaiting = false
        /// Whether it is counted: not once it has been asked to close.
        var isCounted = false
    }

    private struct State {
        var entries: [Entry] = []
        var free: [Int] = []
        var counts: [ClientNetwork: Int] = [:]
        var count = 0
        var waitingCount = 0
        var longestWaiting = -1
        var lastWaiting = -1
    }

    private let connectionsMax: Int
    private let perNetworkMax: Int
    private let exempt: ClientNetworks
    private let state = Mutex(State())

    /// - Parameter exempt: the operator's own proxies, from which any number may come.
    init(connectionsMax: Int, perNetworkMax: Int, exempt: ClientNetworks = ClientNetworks()) {
        self.connectionsMax = connectionsMax
        self.perNetworkMax = perNetworkMax
        self.exempt = exempt
    }

    var count: Int { self.state.withLock { $0.count } }

    /// A connection has come.
    func admit(_ channel: any Channel) -> Admission {
        let network = channel.remoteAddress?.ipAddress.flatMap(ClientNetwork.init)
        return self.state.withLock { state in
            if let network, !self.exempt.contains(network),
                state.counts[network, default: 0] >= self.perNetworkMax
            {
                return .addressFull
            }
            var closing: (any Channel)?
            if state.count >= self.connectionsMax {
                guard let leaving = Self.takeLongestWaiting(&state) else { return .full }
                closing = leaving
            }
            return .taken(Self.add(channel, network, &state), closing: closing)
        }
    }

    /// Those that have waited longest, no longer counted, so that with those that are closing already there are `count` of
    /// them; at most half of those that wait: who has just come, and sends its first request, stays.
    func takeLongestWaiting(untilClosing count: Int) -> [any Channel] {
        self.state.withLock { state in
            let closing = state.entries.count - state.free.count - state.count
            let taken = min(count - closing, (state.waitingCount + 1) / 2)
            return (0..<max(0, taken)).compactMap { _ in Self.takeLongestWaiting(&state) }
        }
    }

    /// A request of the connection has arrived wholly, and is worked on.
    func beginWork(_ place: Place) {
        self.state.withLock { Self.unlink(place.index, &$0) }
    }

    /// The answer has been given.
    func wait(_ place: Place) {
        self.state.withLock { state in
            guard state.entries[place.index].isCounted else { return }
            Self.unlink(place.index, &state)
            Self.append(place.index, &state)
        }
    }

    /// The connection has ended; its place is released.
    func remove(_ place: Place) {
        self.state.withLock { state in
            let index = place.index
            Self.unlink(index, &state)
            if state.entries[index].isCounted { state.count -= 1 }
            if let network = state.entries[index].network {
                let left = state.counts[network, default: 1] - 1
                state.counts[network] = left > 0 ? left : nil
            }
            state.entries[index] = Entry()
            state.free.append(index)
        }
    }

    // MARK: - Under the lock

    private static func add(_ channel: any Channel, _ network: ClientNetwork?, _ state: inout State) -> Place {
        let index: Int
        if let free = state.free.popLast() {
            index = free
        } else {
            index = state.entries.count
            state.entries.append(Entry())
        }
        state.entries[index] = Entry(channel: channel, network: network, isCounted: true)
        state.count += 1
        if let network { state.counts[network, default: 0] += 1 }
        self.append(index, &state)
        return Place(index: index)
    }

    private static func takeLongestWaiting(_ state: inout State) -> (any Channel)? {
        let index = state.longestWaiting
        guard index >= 0 else { return nil }
        self.unlink(index, &state)
        state.entries[index].isCounted = false
        state.count -= 1
        return state.entries[index].channel
    }

    private static func append(_ index: Int, _ state: inout State) {
        state.entries[index].isWaiting = true
        state.entries[index].earlier = state.lastWaiting
        state.entries[index].later = -1
        if state.lastWaiting >= 0 {
            state.entries[state.lastWaiting].later = index
        } else {
            state.longestWaiting = index
        }
        state.lastWaiting = index
        state.waitingCount += 1
    }

    private static func unlink(_ index: Int, _ state: inout State) {
        guard state.entries[index].isWaiting else { return }
        let (earlier, later) = (state.entries[index].earlier, state.entries[index].later)
        if earlier >= 0 { state.entries[earlier].later = later } else { state.longestWaiting = later }
        if later >= 0 { state.entries[later].earlier = earlier } else { state.lastWaiting = earlier }
        state.entries[index].isWaiting = false
        state.waitingCount -= 1
    }
}
