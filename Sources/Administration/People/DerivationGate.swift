//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
import Threads

/// Lets so many derivations run at once and so many wait, because each takes as much memory as a password's cost says;
/// the rest are refused at once. They block, so they run on threads of their own and not on those that tasks share.
final class DerivationGate: Sendable {
    /// Too many wait already.
    struct Busy: Error {}

    private struct State {
        var runningCount = 0
        /// In the order in which they came.
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let runningMax: Int
    private let waitingMax: Int
    private let state = Mutex(State())
    private let begun = Atomic<Int>(0)

    init(runningMax: Int, waitingMax: Int) {
        self.runningMax = max(1, runningMax)
        self.waitingMax = max(0, waitingMax)
    }

    /// How many have been begun ever.
    var begunCount: Int { self.begun.load(ordering: .relaxed) }

    /// How many wait now.
    var waitingCount: Int { self.state.withLock { $0.waiting.count } }

    /// - Throws: ``Busy``, or what the work throws.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        guard await self.enter() else { throw Busy() }
        defer { self.leave() }
        self.begun.add(1, ordering: .relaxed)
        return try await onOwnThread(work)
    }

    /// - Returns: whether it may run.
    private func enter() async -> Bool {
        await withCheckedContinuation { continuation in
            // What is resumed under the lock runs after it.
            self.state.withLock { state in
                if state.runningCount < self.runningMax {
                    state.runningCount += 1
                    continuation.resume(returning: true)
                } else if state.waiting.count < self.waitingMax {
                    state.waiting.append(continuation)
                } else {
                    continuation.resume(returning: false)
                }
            }
        }
    }

    /// Hands the place on to who has waited longest.
    private func leave() {
        self.state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.runningCount -= 1
                return
            }
            state.waiting.removeFirst().resume(returning: true)
        }
    }
}
