//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization
import Time

/// How many operations each account has been sent in the second that passes (``AcquirerCapabilities/requestsPerSecond``).
final class AcquirerPaces: Sendable {
    private let counts = Mutex<[AcquirerAccountID: (second: Int64, count: Int)]>([:])

    /// Whether one more would be too many. Nothing is counted.
    func isFull(_ account: AcquirerAccountID, upTo most: Int, at now: Timestamp) -> Bool {
        let second = now.milliseconds / 1000
        return self.counts.withLock { counts in
            counts[account].map { $0.second == second && $0.count >= most } ?? false
        }
    }

    /// Whether one more may be sent; it is counted.
    func admits(_ account: AcquirerAccountID, upTo most: Int, at now: Timestamp) -> Bool {
        let second = now.milliseconds / 1000
        return self.counts.withLock { counts in
            let count = counts[account].flatMap { $0.second == second ? $0.count : nil } ?? 0
            guard count < most else { return false }
            counts[account] = (second, count + 1)
            return true
        }
    }
}
