//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Token buckets by a hashed key: each gives its burst at once and its rate from then on. A bucket is one number, the moment
/// at which it will be full again (the generic cell rate algorithm, ITU-T I.371). What is remembered is bounded; a bucket
/// that is forgotten is full again.
public final class RateBuckets: Sendable {
    private static let bucketsMax = 1 << 16

    private let now: @Sendable () -> Int64
    /// When each bucket will be full.
    private let fullAt = Mutex(TwoGenerations<Int64>(max: RateBuckets.bucketsMax))

    /// - Parameter now: nanoseconds of a clock that never goes back.
    public init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    /// - Parameter rate: how many a second; more than 0.
    /// - Returns: the nanoseconds until there is one to take; `nil` when one has been taken.
    func take(_ key: UInt64, rate: Int64, burst: Int64) -> Int64? {
        let now = self.now()
        let cost = 1_000_000_000 / rate
        let capacity = cost.multipliedReportingOverflow(by: burst)
        return self.fullAt.withLock { fullAt in
            let full = Swift.max(fullAt[key] ?? now, now)
            let wait = full + cost - now - (capacity.overflow ? .max : capacity.partialValue)
            guard wait <= 0 else { return wait }
            fullAt[key] = full + cost
            return nil
        }
    }

    /// Whole seconds for a Retry-After.
    public static func seconds(_ nanoseconds: Int64) -> Int { Int((nanoseconds + 999_999_999) / 1_000_000_000) }

    /// The same, by a key that is hashed here.
    public func take(_ key: some Hashable, rate: Int64, burst: Int64) -> Int64? {
        self.take(hashedKey(key), rate: rate, burst: burst)
    }
}
