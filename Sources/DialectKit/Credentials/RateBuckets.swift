//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Token buckets: each key so many requests a second in the long run, and so many at once.
///
/// A bucket is one number, the moment at which it will be full again (the generic cell rate algorithm, ITU-T I.371); a
/// full one is not kept, so that there are no more numbers than keys that have just asked.
public final class RateBuckets<Key: Hashable & Sendable>: Sendable {
    private let sweepAt = 10_000
    private let now: @Sendable () -> Int64
    /// When each bucket will be full.
    private let fullAt = Mutex<[Key: Int64]>([:])

    /// - Parameter now: nanoseconds of a clock that never goes back.
    public init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    /// - Returns: the nanoseconds until there is one to take; `nil` where one has been taken.
    public func take(_ key: Key, rate: Int64, burst: Int64) -> Int64? {
        let now = self.now()
        let cost = 1_000_000_000 / rate
        let capacity = cost.multipliedReportingOverflow(by: burst)
        return self.fullAt.withLock { fullAt in
            let full = Swift.max(fullAt[key] ?? now, now)
            let wait = full + cost - now - (capacity.overflow ? .max : capacity.partialValue)
            guard wait <= 0 else { return wait }
            if fullAt.count >= self.sweepAt { fullAt = fullAt.filter { $0.value > now } }
            fullAt[key] = full + cost
            return nil
        }
    }
}
