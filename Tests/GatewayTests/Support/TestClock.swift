//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization
import TestRandom
import Time

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
    private let time: Mutex<Timestamp>

    init(_ start: Timestamp) {
        self.time = Mutex(start)
    }

    var now: Timestamp { self.time.withLock { $0 } }

    func advance(seconds: Int64) {
        self.time.withLock { $0 = $0.adding(seconds: seconds) }
    }
}

extension SeededRandom {
    mutating func isTrue(percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

/// Bytes from a seed, for a gateway's random source.
final class SeededBytes: Sendable {
    private let generator: Mutex<SeededRandom>

    init(seed: UInt64) {
        self.generator = Mutex(SeededRandom(seed: seed))
    }

    func bytes(_ count: Int) -> [UInt8] {
        self.generator.withLock { generator in
            (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
    }
}

/// Holds tasks until it is opened; also for tasks that are cancelled.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func wait() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isOpen = self.state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = self.state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// A deadline that never comes: ends only when the waiting task is cancelled.
func sleepForEver() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    continuation.finish()
    throw CancellationError()
}
