//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Redaction
import Synchronization
import Time

/// The states that have come back, until they would have expired.
final class UsedStates: Sendable {
    private static let entriesMax = 1 << 14
    private let ends = Mutex<[String: Timestamp]>([:])

    /// - Returns: whether it is the first use.
    func use(_ pending: PendingSignIn, at now: Timestamp) -> Bool {
        self.ends.withLock { ends in
            guard ends[pending.state.reveal()] == nil else { return false }
            if ends.count >= Self.entriesMax { ends = ends.filter { $0.value > now } }
            // Only sealed states come here, which take a request to this gateway each. Those that end first are
            // forgotten first, if there are ever so many.
            if ends.count >= Self.entriesMax, let first = ends.min(by: { $0.value < $1.value }) {
                ends[first.key] = nil
            }
            ends[pending.state.reveal()] = pending.endsAt
            return true
        }
    }
}
