//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization
import Time

/// Which of merchants' keys have been seen in use within the last minute, by this process.
final class KeySightings: Sendable {
    private static let intervalMilliseconds: Int64 = 60_000

    private struct Place: Hashable {
        let merchant: MerchantID
        let key: String
    }

    private let seen = Mutex<[Place: Timestamp]>([:])

    /// Whether it is worth a row that the key is in use.
    func isDue(_ key: String, of merchant: MerchantID, at now: Timestamp) -> Bool {
        self.seen.withLock { seen in
            let place = Place(merchant: merchant, key: key)
            if let last = seen[place], (0..<Self.intervalMilliseconds).contains(now.milliseconds(since: last)) {
                return false
            }
            seen[place] = now
            return true
        }
    }
}

extension Gateway {
    /// That a key has opened a token: when first, and when last.
    static func observeKey(
        _ key: String, of merchant: MerchantID, at now: Timestamp, in transaction: any StoreTransaction
    ) throws {
        let first = try transaction.observations(.keyUse, of: merchant, subject: key, limit: 1)
        for number in first.isEmpty ? [0, 1] : [1] {
            try transaction.upsert(
                Observation(kind: .keyUse, merchantID: merchant, subject: key, number: number, at: now))
        }
    }
}
