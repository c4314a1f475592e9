//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// The deadline of a connector's calls: it passes for the one that is under way when a test says so, and for no other.
///
/// ```swift
/// let deadline = CallDeadline()
/// let client = UpstreamClient { _ in await deadline.wait() }
/// ```
public final class CallDeadline: Sendable {
    private struct State {
        var nextID = 0
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
        /// It has passed for a call that has been sent and does not wait yet.
        var hasPassed = false
    }

    private let state = Mutex(State())

    public init() {}

    /// Until it passes, or the call has its answer, and this is canceled.
    public func wait() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let id: Int? = self.state.withLock { state in
            guard !state.hasPassed else {
                state.hasPassed = false
                return nil
            }
            state.nextID += 1
            state.waiting[state.nextID] = continuation
            return state.nextID
        }
        guard let id else { return }
        for await _ in stream {}
        self.state.withLock { _ = $0.waiting.removeValue(forKey: id) }
    }

    /// It passes for the call that is under way.
    public func pass() {
        let waiting = self.state.withLock { state in
            state.hasPassed = state.waiting.isEmpty
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.finish() }
    }
}
