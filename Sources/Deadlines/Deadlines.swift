//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Calls with a timeout.
///
/// A timer for each call would cost more than many a call does, and a cancelled one stays with its clock until it is due.
/// So the calls that begin within a twentieth of the time share one timer: the first has all its time, the last up to a
/// twentieth less. A timer for which nobody is left is cancelled.
public final class Deadlines: Sendable {
    private let milliseconds: Int64
    private let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    private let now: @Sendable () -> ContinuousClock.Instant
    private let executor: (any TaskExecutor)?
    private let state = Mutex(State())

    private struct State {
        var current: Group?
        var nextEntry: UInt64 = 0
    }

    /// - Parameters:
    ///   - sleep: returns after that time, or throws earlier when its task is cancelled.
    ///   - now: says which calls begin together.
    ///   - executor: runs the calls and the timers, which are tasks of their own; `nil` for the system's.
    public init(
        milliseconds: Int64, sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, executor: (any TaskExecutor)? = nil
    ) {
        self.milliseconds = milliseconds
        self.sleep = sleep
        self.now = now
        self.executor = executor
    }

    /// Runs a call for as long as it may take. One that is late is neither cancelled nor waited for.
    ///
    /// - Parameters:
    ///   - late: what takes the place of an answer that comes later; asked for when the time is over.
    ///   - milliseconds: how long this one may take, where that is less than what the others may.
    public func run<Value: Sendable>(
        _ late: @escaping @autoclosure @Sendable () -> Value, within milliseconds: Int64? = nil,
        _ call: @escaping @Sendable () async -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            let once = Once(continuation)
            let entry = self.enter(within: milliseconds) { once.resume(returning: late()) }
            self.executor.start {
                let value = await call()
                entry.leave()
                once.resume(returning: value)
            }
        }
    }

    /// Calls `expire` when the time is over, unless the entry is left before.
    ///
    /// - Parameter milliseconds: as in ``run(_:within:_:)``. Such an entry shares its timer with nobody.
    public func enter(within milliseconds: Int64? = nil, _ expire: @escaping @Sendable () -> Void) -> Entry {
        let now = self.now()
        if let milliseconds, milliseconds < self.milliseconds {
            let own = Group(until: now, executor: self.executor)
            _ = own.join(0, expire, milliseconds: max(0, milliseconds), sleep: self.sleep)
            return Entry(group: own, id: 0)
        }
        let (group, entry) = self.state.withLock { state in
            state.nextEntry += 1
            if let current = state.current, current.takesEntries(at: now) { return (current, state.nextEntry) }
            let group = Group(until: now + .milliseconds(self.milliseconds / 20), executor: self.executor)
            state.current = group
            return (group, state.nextEntry)
        }
        // The last one may have left it meanwhile.
        guard group.join(entry, expire, milliseconds: self.milliseconds, sleep: self.sleep) else {
            self.state.withLock { state in if state.current === group { state.current = nil } }
            return self.enter(expire)
        }
        return Entry(group: group, id: entry)
    }

    /// One call's place in the queue.
    public struct Entry: Sendable {
        fileprivate let group: Group
        fileprivate let id: UInt64

        /// The call has ended in time.
        public func leave() {
            self.group.leave(self.id)
        }
    }
}

/// The calls that share a timer.
private final class Group: Sendable {
    private struct State {
        var expirations: [UInt64: @Sendable () -> Void] = [:]
        var timer: Task<Void, Never>?
        /// The time is over, or everybody has left.
        var hasEnded = false
    }

    private let until: ContinuousClock.Instant
    private let executor: (any TaskExecutor)?
    private let state = Mutex(State())

    init(until: ContinuousClock.Instant, executor: (any TaskExecutor)?) {
        self.until = until
        self.executor = executor
    }

    func takesEntries(at now: ContinuousClock.Instant) -> Bool { now < self.until }

    /// - Returns: whether the group still takes calls.
    func join(
        _ id: UInt64, _ expire: @escaping @Sendable () -> Void, milliseconds: Int64,
        sleep: @escaping @Sendable (Int64) async throws -> Void
    ) -> Bool {
        self.state.withLock { state in
            guard !state.hasEnded else { return false }
            state.expirations[id] = expire
            if state.timer == nil {
                state.timer = self.executor.start {
                    // A sleep that is cancelled has nobody left to wake.
                    guard (try? await sleep(milliseconds)) != nil else { return }
                    self.expire()
                }
            }
            return true
        }
    }

    func leave(_ id: UInt64) {
        let timer = self.state.withLock { state in
            state.expirations[id] = nil
            guard state.expirations.isEmpty, !state.hasEnded else { return nil as Task<Void, Never>? }
            state.hasEnded = true
            return state.timer
        }
        timer?.cancel()
    }

    private func expire() {
        let late = self.state.withLock { state in
            state.hasEnded = true
            let late = state.expirations
            state.expirations = [:]
            return late
        }
        // In the order in which they came.
        for (_, expire) in late.sorted(by: { $0.key < $1.key }) { expire() }
    }
}

/// The first answer counts.
private final class Once<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) {
        self.continuation = Mutex(continuation)
    }

    func resume(returning value: Value) {
        let continuation = self.continuation.withLock { continuation in
            let first = continuation
            continuation = nil
            return first
        }
        continuation?.resume(returning: value)
    }
}

extension Optional where Wrapped == any TaskExecutor {
    /// Begins a task there, or on the system's executor.
    ///
    /// A task that is begun with a preference of `nil` is still one with a preference: each of its switches takes the lock of
    /// its records to look for it, which was a fortieth of a CommWeb payment.
    @discardableResult
    fileprivate func start(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        guard let executor = self else { return Task(operation: operation) }
        return Task(executorPreference: executor, operation: operation)
    }
}
