//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Time that passes when a test says so.
final class ManualTime: Sendable {
    private struct Sleeper {
        let milliseconds: Int64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var moment = ContinuousClock.now
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        /// Those who wait for somebody to sleep so long.
        var waking: [(milliseconds: Int64, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var now: ContinuousClock.Instant { self.state.withLock { $0.moment } }

    func advance(milliseconds: Int64) {
        self.state.withLock { $0.moment += .milliseconds(milliseconds) }
    }

    func sleep(_ milliseconds: Int64) async throws {
        let id = self.state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let waking = self.state.withLock { state in
                    state.sleepers[id] = Sleeper(milliseconds: milliseconds, continuation: continuation)
                    defer { state.waking.removeAll { $0.milliseconds == milliseconds } }
                    return state.waking.filter { $0.milliseconds == milliseconds }
                }
                for one in waking { one.continuation.resume() }
                if Task.isCancelled { self.cancel(id) }
            }
        } onCancel: {
            self.cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let sleeper = self.state.withLock { $0.sleepers.removeValue(forKey: id) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    /// Ends the sleep of all who sleep so long; waits for one who does.
    func pass(_ milliseconds: Int64) async {
        await self.waitForSleeper(milliseconds)
        self.wake(milliseconds)
    }

    /// Waits for one who sleeps so long.
    func waitForSleeper(_ milliseconds: Int64) async {
        await withCheckedContinuation { continuation in
            let isThere = self.state.withLock { state in
                guard !state.sleepers.values.contains(where: { $0.milliseconds == milliseconds }) else { return true }
                state.waking.append((milliseconds, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Ends the sleep of all who sleep so long, and waits for nobody.
    func wake(_ milliseconds: Int64) {
        let woken = self.state.withLock { state in
            let woken = state.sleepers.filter { $0.value.milliseconds == milliseconds }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }
}
