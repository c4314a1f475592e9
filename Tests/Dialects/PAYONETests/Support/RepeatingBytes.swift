//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Eight bytes that come out the same six times before they change: two ids a call, so three calls alike.
final class RepeatingBytes: Sendable {
    private let count = Mutex(0)

    func next() -> [UInt8] {
        self.count.withLock { count in
            count += 1
            return [0, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: count / 6)]
        }
    }
}
