//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

/// How many of something each account has under way, so that one whose acquirer hangs leaves room for the others.
final class AccountPlaces: Sendable {
    private let taken = Mutex<[AcquirerAccountID: Int]>([:])

    /// - Returns: whether there was a place; whoever has one gives it back.
    func take(_ account: AcquirerAccountID, upTo most: Int) -> Bool {
        self.taken.withLock { taken in
            guard taken[account, default: 0] < most else { return false }
            taken[account, default: 0] += 1
            return true
        }
    }

    func giveBack(_ account: AcquirerAccountID) {
        self.taken.withLock { taken in
            let left = taken[account, default: 1] - 1
            taken[account] = left > 0 ? left : nil
        }
    }
}
