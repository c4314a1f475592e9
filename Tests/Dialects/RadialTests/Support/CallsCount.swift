//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Counts calls from any thread.
final class CallsCount: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        self.count.withLock { count in
            count += 1
            return count
        }
    }

    func reset(to value: Int) {
        self.count.withLock { $0 = value }
    }
}
