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
        /// What reads, and what writes.
        var reading = Line()
        var writing = Line()
        var arrivalsCount = 0
        var threadsCount: Int
        /// Threads that wait and that nobody has woken yet.
        var sleepersCount = 0
        /// Threads that write.
        var writersCount = 0
        /// Whether what writes is to be taken however many write.
        var isUrgent = false
        /// The work after which a look at what waits has been planned.
        var watchedNumber: Int?
        var closers: [CheckedContinuation<Void, Never>] = []

        var waitingCount: Int { self.reading.count + self.writing.count }

        mutating func add(_ work: any StoreWork) {
            self.arrivalsCount += 1
            if work.isWriting {
                self.writing.add(work, number: self.arrivalsCount)
            } else {
                self.reading.add(work, number: self.arrivalsCount)
            }
        }

        /// Takes the work that has waited for the longest and, if it writes, those that write and came after it.
        mutating func take(gathering countMax: Int, _ settings: PostgreSQLSettings) -> [any StoreWork] {
            let mayWrite = self.isWritingDue(settings) || !self.isOpen
            let isWritersTurn =
                switch (self.reading.firstNumber, self.writing.firstNumber) {
                case (let read?, let write?): write < read && mayWrite
                case (nil, let write): write != nil && mayWrite
                case (_, nil): false
                }
            guard isWritersTurn else { return self.reading.take(1) }
            self.isUrgent = false
            self.writersCount += 1
            return self.writing.take(max(1, countMax))
        }

        /// Whether one more thread is to write: else what waits is taken by the next of those that do.
        func isWritingDue(_ settings: PostgreSQLSettings) -> Bool {
            self.writersCount < settings.writersMin || self.writing.count >= settings.gatheredMax || self.isUrgent
        }

        /// - Returns: whether there is a thread to wake.
        mutating func wakes() -> Bool {
            guard self.sleepersCount > 0 else { return false }
            self.sleepersCount -= 1
            return true
        }
    }

    /// Works in the order in which they came.
    private struct Line {
        private typealias Place = (number: Int, work: any StoreWork)

        /// Taken from the end.
        private var next: [Place] = []
        private var arrived: [Place] = []

        var count: Int { self.next.count + self.arrived.count }
        var firstNumber: Int? { (self.next.last ?? self.arrived.first)?.number }

        mutating func add(_ work: any StoreWork, number: Int) { self.arrived.append((number, work)) }

        mutating func take(_ countMax: Int) -> [any StoreWork] {
            var works: [any StoreWork] = []
            while works.count < countMax {
                if self.next.isEmpty {
                    swap(&self.next, &self.arrived)
                    self.next.reverse()
                }
                guard let place = self.next.popLast() else { break }
                works.append(place.work)
            }
            return works
        }
    }

    private let settings: PostgreSQLSettings
    private let state: Mutex<State>
    /// Counts the threads that have been woken.
    private let wakings = DispatchSemaphore(value: 0)

    init(threadsCount: Int, _ settings: PostgreSQLSettings) {
        self.settings = settings
        self.state = Mutex(State(threadsCount: threadsCount))
    }

    var waitingCount: Int { self.state.withLock { $0.waitingCount } }

    /// - Returns: why the work is refused; `nil` when it waits now.
    func submit(_ work: any StoreWork) -> StoreError? {
        var wakes = false
        var watches = false
        let refusal: StoreError? = self.state.withLock { state in
            guard state.isOpen else { return .unavailable("the store is closed") }
            guard state.waitingCount < self.settings.waitingMax else {
                return .unavailable("too many calls are waiting for the server; try again later")
            }
            state.add(work)
            if !work.isWriting || state.isWritingDue(self.settings) {
                wakes = state.wakes()
            } else if state.watchedNumber == nil {
                state.watchedNumber = state.arrivalsCount
                watches = true
            }
            return nil
        }
        if wakes { self.wakings.signal() }
        if watches { self.watch() }
        return refusal
    }

    /// Looks after a while whether what waited for those that write has been taken, and has another thread take it if not.
    private func watch() {
        self.settings.after(self.settings.gatheringMilliseconds) { [weak self] in
            guard let self else { return }
            let (wakes, watches) = self.state.withLock { state in
                defer { state.watchedNumber = state.writing.firstNumber.map { _ in state.arrivalsCount } }
                guard let first = state.writing.firstNumber else { return (false, false) }
                guard let watched = state.watchedNumber, first <= watched else { return (false, true) }
                state.isUrgent = true
                return (state.wakes(), true)
            }
            if wakes { self.wakings.signal() }
            if watches { self.watch() }
        }
    }

    /// Waits for work, and takes more of what waits and may be committed together with it. While few write, nothing
    /// waits; what comes while ``PostgreSQLSettings/writersMin`` threads write gathers, for the next of them.
    ///
    /// - Parameter hasWritten: whether the thread comes from writing.
    /// - Returns: one work, or several that write; none when the queue is closed and empty.
    func take(gathering gatheredMax: Int, afterWriting hasWritten: Bool) -> [any StoreWork] {
        var hasWritten = hasWritten
        while true {
            let (works, isOpen, wakes) = self.state.withLock { state in
                if hasWritten { state.writersCount -= 1 }
                let works = state.take(gathering: gatheredMax, self.settings)
                if works.isEmpty, state.isOpen { state.sleepersCount += 1 }
                let leavesWork = state.reading.count > 0 || state.writing.count > 0 && state.isWritingDue(self.settings)
                return (works, state.isOpen, !works.isEmpty && leavesWork && state.wakes())
            }
            if wakes { self.wakings.signal() }
            if !works.isEmpty || !isOpen { return works }
            hasWritten = false
            self.wakings.wait()
        }
    }

    /// Refuses what comes from now on. The threads end when they have done what waits.
    func close() {
        let sleepersCount = self.state.withLock { state in
            defer { (state.isOpen, state.sleepersCount) = (false, 0) }
            return state.sleepersCount
        }
        for _ in 0..<sleepersCount { self.wakings.signal() }
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
