//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Counts failures by a hashed key, and says for how long nothing is to be looked at from there: beyond what is free each
/// failure doubles the wait.
///
/// The clock is one that nobody sets: by the time of day, everybody who waits when it is set back would wait for hours.
/// What is remembered is bounded, is lost at the end of the process, and is not shared between nodes.
public final class FailureCounter: Sendable {
    private struct Failures {
        var count = 0
        var lastAt: Int64
        var waitsUntil: Int64 = .min
    }

    private static let second: Int64 = 1_000_000_000

    private let waitSecondsMax: Int64
    private let memorySeconds: Int64
    private let now: @Sendable () -> Int64
    private let failures: Mutex<TwoGenerations<Failures>>
    /// Spares every request of a quiet gateway the look at the failures.
    private let isUsed = Atomic<Bool>(false)

    /// - Parameters:
    ///   - waitSecondsMax: the longest wait.
    ///   - memorySeconds: how long after the last failure of a key its failures are forgotten.
    ///   - entriesMax: keys whose failures are remembered.
    ///   - now: nanoseconds of a clock that never goes back.
    public init(waitSecondsMax: Int64, memorySeconds: Int64, entriesMax: Int, now: @escaping @Sendable () -> Int64) {
        self.waitSecondsMax = waitSecondsMax
        self.memorySeconds = memorySeconds
        self.now = now
        self.failures = Mutex(TwoGenerations(max: entriesMax))
    }

    /// - Returns: for how many seconds nothing is to be looked at; `nil` when it may be now.
    func waitSeconds(of key: UInt64) -> Int? {
        guard self.isUsed.load(ordering: .relaxed) else { return nil }
        let now = self.now()
        guard let until = self.failures.withLock({ $0[key]?.waitsUntil }), until > now else { return nil }
        return Int((until - now + Self.second - 1) / Self.second)
    }

    /// - Returns: whether the wait begins with this failure, the first beyond what is free.
    @discardableResult
    func count(_ key: UInt64, free: Int) -> Bool {
        self.isUsed.store(true, ordering: .relaxed)
        let now = self.now()
        return self.failures.withLock { failures in
            var entry = failures[key] ?? Failures(lastAt: now)
            if now - entry.lastAt > self.memorySeconds * Self.second { entry = Failures(lastAt: now) }
            entry.count += 1
            entry.lastAt = now
            let excess = entry.count - free
            if excess > 0 {
                let seconds = Swift.min(Int64(1) << Int64(Swift.min(excess - 1, 30)), self.waitSecondsMax)
                entry.waitsUntil = now + seconds * Self.second
            }
            failures[key] = entry
            return excess == 1
        }
    }

    func forget(_ key: UInt64) {
        guard self.isUsed.load(ordering: .relaxed) else { return }
        self.failures.withLock { $0[key] = nil }
    }

    /// The same, by a key that is hashed here.
    public func waitSeconds(of key: some Hashable) -> Int? { self.waitSeconds(of: hashedKey(key)) }

    /// The same, by a key that is hashed here.
    @discardableResult
    public func count(_ key: some Hashable, free: Int) -> Bool { self.count(hashedKey(key), free: free) }
}
