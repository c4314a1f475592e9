//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Synchronization

/// How much memory the bodies of unfinished requests may take, all together and from one address.
///
/// Counted are bytes that have arrived, never what a head announces: otherwise thousands of heads without a byte behind
/// them would keep everybody else out.
final class BodyBudget: Sendable {
    private struct State {
        var bytesCount = 0
        var networks: [ClientNetwork: Int] = [:]
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

    private func take(_ count: Int, for network: ClientNetwork?) -> Bool {
        self.state.withLock { state in
            guard count <= self.bytesMax - state.bytesCount else { return false }
            if let network {
                let taken = state.networks[network, default: 0]
                guard count <= self.perNetworkMax - taken else { return false }
                state.networks[network] = taken + count
            }
            state.bytesCount += count
            return true
        }
    }

    private func giveBack(_ count: Int, for network: ClientNetwork?) {
        self.state.withLock { state in
            state.bytesCount -= count
            guard let network else { return }
            let left = state.networks[network, default: count] - count
            state.networks[network] = left > 0 ? left : nil
        }
    }
}

extension BodyBudget {
    /// What one request has taken.
    final class Share: Sendable {
        private let budget: BodyBudget
        private let network: ClientNetwork?
        private let taken = Mutex(0)

        fileprivate init(budget: BodyBudget, network: ClientNetwork?) {
            self.budget = budget
            self.network = network
        }

        /// - Returns: whether there was room for that many more bytes.
        func take(_ count: Int) -> Bool {
            guard self.budget.take(count, for: self.network) else { return false }
            self.taken.withLock { $0 += count }
            return true
        }

        /// The request is finished.
        func giveBack() {
            let count = self.taken.withLock { taken in
                defer { taken = 0 }
                return taken
            }
            if count > 0 { self.budget.giveBack(count, for: self.network) }
        }
    }
}
