//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// A clock that has moved on by a minute after the first call has left.
final class Ticking: Sendable {
    private let start = ContinuousClock.now
    private let count = Mutex(0)

    /// When a deadline is set, and when the first call asks what is left of it, no time has passed.
    func next() -> ContinuousClock.Instant {
        let number = self.count.withLock { count in
            count += 1
            return count
        }
        return number <= 2 ? self.start : self.start + .seconds(60)
    }
}
