//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
import Time

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
    private let moment: Mutex<Timestamp>

    init(_ moment: Timestamp) {
        self.moment = Mutex(moment)
    }

    var now: Timestamp { self.moment.withLock { $0 } }

    func advance(seconds: Int64) {
        self.moment.withLock { $0 = $0.adding(seconds: seconds) }
    }
}
