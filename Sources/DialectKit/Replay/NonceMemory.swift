//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Synchronization
public import Time

/// Remembers the nonces of signed requests for as long as the requests are fresh, so that none is taken twice.
///
/// It is bounded by time and by count, and it is lost at a restart and not shared between nodes: it makes a captured
/// request worthless to whoever sends it again at once, and the idempotency keys behind it see to it that even then
/// nothing is done twice.
public final class NonceMemory: Sendable {
    public enum Verdict: Hashable, Sendable {
        /// New, and remembered from now on.
        case fresh
        /// Seen before, and still remembered.
        case reused
        /// There is no room to remember it. Taking it would open the way for its replay.
        case full
    }

    /// 128 bits of a digest: enough that no two nonces meet by chance, and small.
    private struct Fingerprint: Hashable {
        let high: UInt64
        let low: UInt64

        init(_ bytes: [UInt8]) {
            self.high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            self.low = bytes.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private struct State {
        /// Fingerprints by the minute in which they end.
        var buckets: [Int64: Set<Fingerprint>] = [:]
        var count = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: the most nonces that are remembered at a time; each takes about 32 bytes.
    public init(capacity: Int = 1 << 21) {
        self.capacity = capacity
    }

    /// Remembers a nonce, if it is new.
    ///
    /// - Parameters:
    ///   - scope: whose nonce it is; the same nonce of another scope is another one.
    ///   - until: when a request with this nonce is refused anyway, because it is stale.
    public func remember(_ nonce: String, scope: String, until end: Timestamp, now: Timestamp) -> Verdict {
        let fingerprint = Fingerprint(requestDigest(Array(scope.utf8) + [0] + Array(nonce.utf8)))
        let currentMinute = now.seconds / 60
        // Never dropped before its end: the bucket of a minute is dropped when that minute is over.
        let endMinute = max(end.seconds / 60, currentMinute)
        return self.state.withLock { state in
            for (minute, bucket) in state.buckets where minute < currentMinute {
                state.count -= bucket.count
                state.buckets[minute] = nil
            }
            if state.buckets.values.contains(where: { $0.contains(fingerprint) }) { return .reused }
            guard state.count < self.capacity else { return .full }
            state.buckets[endMinute, default: []].insert(fingerprint)
            state.count += 1
            return .fresh
        }
    }
}
