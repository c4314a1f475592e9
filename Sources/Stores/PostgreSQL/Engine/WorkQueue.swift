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
        mutating func take(gathering countMax: Int) -> [any StoreWork] {
            let isWritersTurn =
                switch (self.reading.firstNumber, self.writing.firstNumber) {
                case (let read?, let write?): write < read
                case (nil, let write): write != nil
                case (_, nil): false
                }
            return isWritersTurn ? self.writing.take(max(1, countMax)) : self.reading.take(1)
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

    var waitingCount: Int { self.state.withLock { $0.waitingCount } }

    /// - Returns: why the work is refused; `nil` when it waits now.
    func submit(_ work: any StoreWork) -> StoreError? {
        let refusal: StoreError? = self.state.withLock { state in
            guard state.isOpen else { return .unavailable("the store is closed") }
            guard state.waitingCount < self.waitingMax else {
                return .unavailable("too many calls are waiting for the server; try again later")
            }
            state.add(work)
            return nil
        }
        if refusal == nil { self.available.signal() }
        return refusal
    }

    /// Waits for work, and takes more of what waits and may be committed together with it. While a thread is free nothing
    /// waits, so what gathers has found all of them busy.
    /// - Returns: one work, or several that write; none when the queue is closed and empty.
    func take(gathering gatheredMax: Int) -> [any StoreWork] {
        while true {
            self.available.wait()
            let (works, isOpen) = self.state.withLock { ($0.take(gathering: gatheredMax), $0.isOpen) }
            // What others have gathered has been counted all the same.
            if !works.isEmpty || !isOpen { return works }
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
