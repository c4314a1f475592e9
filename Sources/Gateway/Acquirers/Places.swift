//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

/// How many of something each has under way, so that one that hangs leaves room for the others.
final class Places<Key: Hashable & Sendable>: Sendable {
    private let most: Int
    private let taken = Mutex<[Key: Int]>([:])

    init(most: Int) { self.most = most }

    /// - Returns: whether there was a place; whoever has one gives it back.
    func take(_ key: Key) -> Bool {
        self.taken.withLock { taken in
            guard taken[key, default: 0] < self.most else { return false }
            taken[key, default: 0] += 1
            return true
        }
    }

    func giveBack(_ key: Key) {
        self.taken.withLock { taken in
            let left = taken[key, default: 1] - 1
            taken[key] = left > 0 ? left : nil
        }
    }
}

/// The planned captures that are under way. A connector's accounts fail together, so that they have a bound together, too.
final class CapturePlaces: Sendable {
    static let ofAccount = 24
    static let ofConnector = 40

    private let accounts = Places<AcquirerAccountID>(most: CapturePlaces.ofAccount)
    private let connectors = Places<AcquirerName>(most: CapturePlaces.ofConnector)

    /// - Returns: whether there was a place; whoever has one gives it back.
    func take(_ payment: Payment) -> Bool {
        guard self.accounts.take(payment.accountID) else { return false }
        guard self.connectors.take(payment.acquirer) else {
            self.accounts.giveBack(payment.accountID)
            return false
        }
        return true
    }

    func giveBack(_ payment: Payment) {
        self.accounts.giveBack(payment.accountID)
        self.connectors.giveBack(payment.acquirer)
    }
}
