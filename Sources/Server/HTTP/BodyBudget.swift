//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Synchronization

/// How much memory the bodies of unfinished requests may take, all together and from one address.
///
/// Counted are bytes that have arrived, never what a head announces: otherwise thousands of heads without a byte behind
/// them would keep everybody else out. When all is taken, the body that has been on its way longest is given up, of the
/// address that has most: four addresses could else take all of it and keep it.
final class BodyBudget: Sendable {
    private struct State {
        var bytesCount = 0
        var networks: [ClientNetwork?: Int] = [:]
        /// The bodies that are being read, by address.
        var readings: [ClientNetwork?: Readings] = [:]
    }

    /// In the order in which they began. Those that have ended are passed over, and taken out now and then.
    private struct Readings {
        private var shares: [Share] = []
        private var first = 0
        private var tidiedAt = 64

        mutating func append(_ share: Share) {
            if self.shares.count >= self.tidiedAt {
                self.shares = self.shares[self.first...].filter(\.isReading)
                self.first = 0
                self.tidiedAt = max(64, 2 * self.shares.count)
            }
            self.shares.append(share)
        }

        /// Whether all have ended.
        mutating func isOver() -> Bool {
            while self.first < self.shares.count, !self.shares[self.first].isReading { self.first += 1 }
            return self.first == self.shares.count
        }

        /// The one that began first, besides one.
        mutating func oldest(besides other: Share) -> Share? {
            guard !self.isOver() else { return nil }
            return self.shares[self.first...].first { $0 !== other && $0.isReading }
        }
    }

    private let bytesMax: Int
    private let perNetworkMax: Int
    private let exempt: ClientNetworks
    private let state = Mutex(State())

    /// - Parameter exempt: the operator's own proxies, which have no bound but the common one.
    init(bytesMax: Int, perNetworkMax: Int, exempt: ClientNetworks = ClientNetworks()) {
        self.bytesMax = bytesMax
        self.perNetworkMax = perNetworkMax
        self.exempt = exempt
    }

    var bytesCount: Int { self.state.withLock { $0.bytesCount } }

    /// The share of one request, which is given back when the request is finished.
    func share(of address: String?) -> Share {
        let network = address.flatMap(ClientNetwork.init)
        return Share(budget: self, network: network.flatMap { self.exempt.contains($0) ? nil : $0 })
    }

    private func take(_ count: Int, for share: Share) -> Bool {
        let (isTaken, givenUp) = self.state.withLock { state -> (Bool, [() -> Void]) in
            var givenUp: [() -> Void] = []
            let taken = state.networks[share.network, default: 0]
            if share.network != nil, count > self.perNetworkMax - taken { return (false, []) }
            while count > self.bytesMax - state.bytesCount {
                guard let cancel = self.giveUpOldest(besides: share, &state) else { return (false, givenUp) }
                givenUp.append(cancel)
            }
            state.networks[share.network, default: 0] += count
            state.bytesCount += count
            return (true, givenUp)
        }
        for cancel in givenUp { cancel() }
        return isTaken
    }

    /// - Returns: what stops its reading; `nil` where none is being read.
    private func giveUpOldest(besides share: Share, _ state: inout State) -> (() -> Void)? {
        let byBytes = state.readings.keys.sorted { state.networks[$0, default: 0] > state.networks[$1, default: 0] }
        for network in byBytes {
            guard let oldest = state.readings[network]?.oldest(besides: share) else { continue }
            let (count, cancel) = oldest.giveUp()
            Self.subtract(count, from: network, &state)
            return cancel
        }
        return nil
    }

    private static func subtract(_ count: Int, from network: ClientNetwork?, _ state: inout State) {
        state.bytesCount -= count
        let left = state.networks[network, default: count] - count
        state.networks[network] = left > 0 ? left : nil
        if left <= 0, state.readings[network]?.isOver() ?? false { state.readings[network] = nil }
    }

    private func giveBack(_ count: Int, for network: ClientNetwork?) {
        self.state.withLock { Self.subtract(count, from: network, &$0) }
    }
}

extension BodyBudget {
    /// What one request has taken.
    final class Share: Sendable {
        private struct State {
            var bytesCount = 0
            /// Stops the reading, while there is one.
            var cancel: (@Sendable () -> Void)?
            var isGivenUp = false
        }

        private let budget: BodyBudget
        fileprivate let network: ClientNetwork?
        private let state = Mutex(State())

        fileprivate init(budget: BodyBudget, network: ClientNetwork?) {
            self.budget = budget
            self.network = network
        }

        /// Whether it was given up for another.
        var isGivenUp: Bool { self.state.withLock { $0.isGivenUp } }

        fileprivate var isReading: Bool { self.state.withLock { $0.cancel != nil } }

        /// From now on, until ``readingEnded()``, it may be given up.
        func reads(_ cancel: @escaping @Sendable () -> Void) {
            self.state.withLock { $0.cancel = cancel }
            self.budget.state.withLock { $0.readings[self.network, default: Readings()].append(self) }
        }

        func readingEnded() {
            self.state.withLock { $0.cancel = nil }
        }

        /// - Returns: whether there was room for that many more bytes.
        func take(_ count: Int) -> Bool {
            guard !self.isGivenUp, self.budget.take(count, for: self) else { return false }
            let isGivenUp = self.state.withLock { state in
                if !state.isGivenUp { state.bytesCount += count }
                return state.isGivenUp
            }
            if isGivenUp { self.budget.giveBack(count, for: self.network) }
            return !isGivenUp
        }

        /// With the budget locked.
        fileprivate func giveUp() -> (bytesCount: Int, cancel: () -> Void) {
            self.state.withLock { state in
                let given = (state.bytesCount, state.cancel ?? {})
                state = State(isGivenUp: true)
                return given
            }
        }

        /// The request is finished.
        func giveBack() {
            let count = self.state.withLock { state in
                defer { state.bytesCount = 0 }
                state.cancel = nil
                return state.bytesCount
            }
            self.budget.giveBack(count, for: self.network)
        }
    }
}
