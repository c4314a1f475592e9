//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Synchronization

/// How much memory the bodies of unfinished requests may take, all together and from one address.
///
/// Counted are bytes that have arrived, never what a head announces: otherwise thousands of heads without a byte behind
/// them would keep everybody else out. When all is taken, the body that has been on its way longest is given up, of an
/// address that has much if there is one: four addresses could else take all of it and keep it.
final class BodyBudget: Sendable {
    private struct State {
        var bytesCount = 0
        /// What of them is of bodies that are still on their way: as much as can be given up.
        var readingCount = 0
        var networks: [ClientNetwork?: Int] = [:]
        /// The addresses that have a sixteenth of all or more: sixteen at the most.
        var heavy: Set<ClientNetwork?> = []
        /// The bodies that are on their way: all, and those of each heavy address.
        var readings = Readings()
        var readingsOfHeavy: [ClientNetwork?: Readings] = [:]
    }

    /// In the order in which they began. Those that have ended are passed over, and taken out now and then.
    private struct Readings {
        private var shares: [Share] = []
        private var first = 0
        private var tidiedAt = 64

        init(_ shares: [Share] = []) {
            self.shares = shares
        }

        mutating func append(_ share: Share) {
            if self.shares.count >= self.tidiedAt {
                self.shares = self.shares[self.first...].filter(\.isReading)
                self.first = 0
                self.tidiedAt = max(64, 2 * self.shares.count)
            }
            self.shares.append(share)
        }

        /// The one that began first, besides one.
        mutating func oldest(besides other: Share) -> Share? {
            while self.first < self.shares.count, !self.shares[self.first].isReading { self.first += 1 }
            return self.shares[self.first...].first { $0 !== other && $0.isReading }
        }

        func of(_ network: ClientNetwork?) -> Readings {
            Readings(self.shares[self.first...].filter { $0.network == network && $0.isReading })
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
            let taken = state.networks[share.network, default: 0]
            if share.network != nil, count > self.perNetworkMax - taken { return (false, []) }
            // Nobody is given up for what would not fit all the same.
            let lacking = count - (self.bytesMax - state.bytesCount)
            guard lacking <= state.readingCount - share.bytesCount else { return (false, []) }
            var givenUp: [() -> Void] = []
            while count > self.bytesMax - state.bytesCount {
                guard let cancel = self.giveUpOldest(besides: share, &state) else { return (false, givenUp) }
                givenUp.append(cancel)
            }
            guard share.add(count) else { return (false, givenUp) }
            state.bytesCount += count
            state.readingCount += count
            self.count(taken + count, of: share.network, &state)
            return (true, givenUp)
        }
        for cancel in givenUp { cancel() }
        return isTaken
    }

    /// - Returns: what stops its reading; `nil` where none can be given up.
    private func giveUpOldest(besides share: Share, _ state: inout State) -> (() -> Void)? {
        let heavy = state.heavy.sorted { state.networks[$0, default: 0] > state.networks[$1, default: 0] }
        var oldest: Share?
        for network in heavy where oldest == nil { oldest = state.readingsOfHeavy[network]?.oldest(besides: share) }
        guard let given = oldest ?? state.readings.oldest(besides: share) else { return nil }
        let (count, cancel) = given.giveUp()
        self.subtract(count, of: given, isReading: true, &state)
        return cancel
    }

    private func count(_ bytesCount: Int, of network: ClientNetwork?, _ state: inout State) {
        state.networks[network] = bytesCount > 0 ? bytesCount : nil
        let isHeavy = bytesCount > 0 && bytesCount >= self.bytesMax / 16
        if isHeavy, state.heavy.insert(network).inserted {
            state.readingsOfHeavy[network] = state.readings.of(network)
        } else if !isHeavy, state.heavy.remove(network) != nil {
            state.readingsOfHeavy[network] = nil
        }
    }

    private func subtract(_ count: Int, of share: Share, isReading: Bool, _ state: inout State) {
        state.bytesCount -= count
        if isReading { state.readingCount -= count }
        self.count(state.networks[share.network, default: count] - count, of: share.network, &state)
    }
}

extension BodyBudget {
    /// What one request has taken. Its own lock is taken within the budget's, never the other way round.
    final class Share: Sendable {
        private struct State {
            var bytesCount = 0
            /// Stops the reading, while there is one.
            var cancel: (@Sendable () -> Void)?
            var isOver = false
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
        fileprivate var bytesCount: Int { self.state.withLock { $0.isOver ? 0 : $0.bytesCount } }

        /// From now on, until ``readingEnded()``, it may be given up.
        func reads(_ cancel: @escaping @Sendable () -> Void) {
            self.budget.state.withLock { state in
                self.state.withLock { $0.cancel = cancel }
                state.readings.append(self)
                state.readingsOfHeavy[self.network]?.append(self)
            }
        }

        /// All of it has arrived, or no more of it will.
        func readingEnded() {
            self.budget.state.withLock { state in
                state.readingCount -= self.end()
            }
        }

        /// - Returns: whether there was room for that many more bytes.
        func take(_ count: Int) -> Bool { self.budget.take(count, for: self) }

        /// The request is finished.
        func giveBack() {
            self.budget.state.withLock { state in
                state.readingCount -= self.end()
                let count = self.state.withLock { own in
                    defer { own.bytesCount = 0 }
                    return own.bytesCount
                }
                if count > 0 { self.budget.subtract(count, of: self, isReading: false, &state) }
            }
        }

        /// - Returns: how many bytes can be given up no more.
        private func end() -> Int {
            self.state.withLock { own in
                defer { (own.cancel, own.isOver) = (nil, true) }
                return own.isOver ? 0 : own.bytesCount
            }
        }

        /// - Returns: whether it may have more.
        fileprivate func add(_ count: Int) -> Bool {
            self.state.withLock { own in
                if !own.isOver { own.bytesCount += count }
                return !own.isOver
            }
        }

        fileprivate func giveUp() -> (bytesCount: Int, cancel: () -> Void) {
            self.state.withLock { own in
                let given = (own.bytesCount, own.cancel ?? {})
                own = State(isOver: true, isGivenUp: true)
                return given
            }
        }
    }
}
