//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
public import Time

/// A clock that stands still until it is moved.
public final class TestClock: Sendable {
    private struct State {
        var moment: Timestamp
        var isBehindByMilliseconds: Int64 = 0
    }

    private let state: Mutex<State>

    public init(_ moment: Timestamp) {
        self.state = Mutex(State(moment: moment))
    }

    public var now: Timestamp { self.state.withLock { $0.moment } }

    /// Of a clock that goes on with this one, and that nobody sets back.
    public var steadyNanoseconds: Int64 {
        self.state.withLock { ($0.moment.milliseconds + $0.isBehindByMilliseconds) * 1_000_000 }
    }

    public func advance(seconds: Int64) {
        self.state.withLock { $0.moment = $0.moment.adding(seconds: seconds) }
    }

    /// Moves the clock to a moment, never back.
    public func advance(to moment: Timestamp) {
        self.state.withLock { $0.moment = max($0.moment, moment) }
    }

    /// As an operator sets a machine's clock.
    public func setBack(seconds: Int64) {
        self.state.withLock { state in
            state.moment = state.moment.adding(seconds: -seconds)
            state.isBehindByMilliseconds += seconds * 1000
        }
    }
}
