//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Payments
import Synchronization

/// Calls that wait for one of the sessions' threads, first come, first served.
final class WorkQueue: Sendable {
    private struct State {
        var isOpen = true
        /// Taken from the end.
        var next: [any StoreWork] = []
        var arrived: [any StoreWork] = []
        var threadsCount: Int
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private let waitingMax: Int
    private let threadsCount: Int
    private let state: Mutex<State>
    /// Counts what can be taken: works, and at the end one word for each thread that nothing comes any more.
    private let available = DispatchSemaphore(value: 0)

    init(threadsCount: Int, waitingMax: Int) {
        self.waitingMax = waitingMax
        self.threadsCount = threadsCount
        self.state = Mutex(State(threadsCount: threadsCount))
    }

    /// - Returns: why the work is refused; `nil` when it waits now.
    func submit(_ work: any StoreWork) -> StoreError? {
        let refusal: StoreError? = self.state.withLock { state in
            guard state.isOpen else { return .unavailable("the store is closed") }
            guard state.next.count + state.arrived.count < self.waitingMax else {
                return .unavailable("too many calls are waiting for the server; try again later")
            }
            state.arrived.append(work)
            return nil
        }
        if refusal == nil { self.available.signal() }
        return refusal
    }

    /// Waits for work.
    /// - Returns: `nil` when the queue is closed and empty.
    func take() -> (any StoreWork)? {
        self.available.wait()
        return self.state.withLock { state in
            if state.next.isEmpty {
                state.next = state.arrived.reversed()
                state.arrived.removeAll(keepingCapacity: true)
            }
            return state.next.popLast()
        }
    }

    /// Refuses what comes from now on. The threads end when they have done what waits.
    func close() {
        let wasOpen = self.state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        guard wasOpen else { return }
        for _ in 0..<self.threadsCount { self.available.signal() }
    }

    /// A thread says that it has ended.
    func threadHasEnded() {
        let closers = self.state.withLock { state in
            state.threadsCount -= 1
            guard state.threadsCount == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }

    /// Waits until all threads have ended.
    func waitForThreads() async {
        await withCheckedContinuation { continuation in
            let areGone = self.state.withLock { state in
                if state.threadsCount > 0 { state.closers.append(continuation) }
                return state.threadsCount == 0
            }
            if areGone { continuation.resume() }
        }
    }
}
