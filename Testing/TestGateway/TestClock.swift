//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
public import Time

/// A clock that stands still until it is moved.
public final class TestClock: Sendable {
    private let moment: Mutex<Timestamp>

    public init(_ moment: Timestamp) {
        self.moment = Mutex(moment)
    }

    public var now: Timestamp { self.moment.withLock { $0 } }

    public func advance(seconds: Int64) {
        self.moment.withLock { $0 = $0.adding(seconds: seconds) }
    }

    /// Moves the clock to a moment, never back.
    public func advance(to moment: Timestamp) {
        self.moment.withLock { $0 = max($0, moment) }
    }
}
