//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Counts who is inside, so that closing can wait until all have left.
final class Gate: Sendable {
    private struct State {
        var isOpen = true
        var insideCount = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// - Returns: whether the gate is open; then ``leave()`` must follow.
    func enter() -> Bool {
        self.state.withLock { state in
            guard state.isOpen else { return false }
            state.insideCount += 1
            return true
        }
    }

    func leave() {
        let waiters = self.state.withLock { state in
            state.insideCount -= 1
            guard !state.isOpen, state.insideCount == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Lets nobody in from now on, and waits until nobody is inside.
    /// - Returns: whether this call has shut it; `false` when it was shut before.
    func shut() async -> Bool {
        let wasOpen = self.state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        await withCheckedContinuation { continuation in
            let isEmpty = self.state.withLock { state in
                if state.insideCount > 0 { state.waiters.append(continuation) }
                return state.insideCount == 0
            }
            if isEmpty { continuation.resume() }
        }
        return wasOpen
    }
}
