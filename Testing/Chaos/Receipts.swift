//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Synchronization
public import TestShop

/// What the shops have asked for and what they have been answered.
public final class Receipts: Sendable {
    public typealias Answer = ShopAnswer.Outcome

    public struct Receipt: Sendable {
        /// What the shop calls the operation: dialect, order, request.
        public let key: String
        public let kind: Operation.Kind
        /// `nil` for what takes all.
        public let minorUnits: Int64?
        /// The first definite answer.
        public var answer: Answer?
    }

    private struct State {
        var receipts: [String: Receipt] = [:]
        var repeatsCount = 0
        /// Asked for and not answered yet.
        var openCount = 0
        var problems: [String] = []
        /// When an operation was first acknowledged, in milliseconds.
        var acknowledgedAt: [Int64] = []
    }

    private let state = Mutex(State())

    public init() {}

    public var all: [String: Receipt] { self.state.withLock { $0.receipts } }
    var openCount: Int { self.state.withLock { $0.openCount } }
    var repeatsCount: Int { self.state.withLock { $0.repeatsCount } }
    /// What was wrong with the answers themselves.
    public var problems: [String] { self.state.withLock { $0.problems } }

    /// Before a request is sent for the first time.
    public func begin(_ key: String, _ kind: Operation.Kind, minorUnits: Int64?) {
        self.state.withLock { state in
            state.receipts[key] = Receipt(key: key, kind: kind, minorUnits: minorUnits)
            state.openCount += 1
        }
    }

    /// For how long no operation was acknowledged, at the longest, between a time and now, in milliseconds.
    func longestSilence(since start: Int64) -> Int64 {
        let moments = self.state.withLock { state in
            let first = state.acknowledgedAt.lastIndex { $0 < start }.map { $0 + 1 } ?? 0
            return Array(state.acknowledgedAt[first...])
        }
        let ends = moments + [Timer.nowMilliseconds]
        return zip([start] + moments, ends).map { $1 - $0 }.max() ?? 0
    }

    func countRepeat() { self.state.withLock { $0.repeatsCount += 1 } }

    public func file(_ answer: Answer, for key: String) {
        self.state.withLock { state in
            guard let first = state.receipts[key]?.answer else {
                state.receipts[key]?.answer = answer
                state.openCount -= 1
                if answer == .approved { state.acknowledgedAt.append(Timer.nowMilliseconds) }
                return
            }
            if (first == .approved) != (answer == .approved) {
                state.problems.append("\(key) was answered \(first), and then \(answer)")
            }
        }
    }
}
