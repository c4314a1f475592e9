//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Synchronization

/// One life of a node: from its start to its crash or the end of the history.
///
/// A crash can't stop tasks that have begun, so it cuts them off: nothing that they do afterwards reaches the store, the
/// acquirer or a shop. Seen from there the process has ended between two of its steps.
final class NodeProcess: Sendable {
    private struct State {
        var isAlive = true
        var gateway: Gateway?
        var nextCall: UInt64 = 0
        /// What to do for whoever waits for an answer when there will be none.
        var pending: [UInt64: @Sendable () -> Void] = [:]
    }

    let index: Int
    /// Counts the lives of all nodes.
    let number: Int
    let executor: ScheduledExecutor
    private let state = Mutex(State())

    init(index: Int, number: Int, executor: ScheduledExecutor) {
        self.index = index
        self.number = number
        self.executor = executor
    }

    var name: String { "n\(self.index).\(self.number)" }

    var isAlive: Bool { self.state.withLock { $0.isAlive } }

    /// `nil` until it has started.
    var gateway: Gateway? { self.state.withLock { $0.isAlive ? $0.gateway : nil } }

    func serve(_ gateway: Gateway) {
        self.state.withLock { $0.gateway = gateway }
    }

    /// Somebody waits for an answer.
    /// - Returns: `nil` when the process has ended already.
    func expect(_ lose: @escaping @Sendable () -> Void) -> UInt64? {
        self.state.withLock { state in
            guard state.isAlive else { return nil }
            state.nextCall += 1
            state.pending[state.nextCall] = lose
            return state.nextCall
        }
    }

    func forget(_ call: UInt64) {
        self.state.withLock { $0.pending[call] = nil }
    }

    func end() {
        let pending = self.state.withLock { state in
            state.isAlive = false
            state.gateway = nil
            defer { state.pending = [:] }
            return state.pending
        }
        for (_, lose) in pending.sorted(by: { $0.key < $1.key }) { lose() }
    }
}
