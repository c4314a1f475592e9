//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
import Foundation
import Synchronization
import Testing

/// Timers that go off when the test says so.
private final class Alarm: Sendable {
    private struct State {
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var asked: [Int64] = []
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())
    private let changes = AsyncStream<Void>.makeStream()

    var asked: [Int64] { self.state.withLock { $0.asked } }
    var waitingCount: Int { self.state.withLock { $0.waiting.count } }
    var cancelledCount: Int { self.state.withLock { $0.cancelled.count } }

    func sleep(_ milliseconds: Int64) async throws {
        let number = self.state.withLock { state in
            state.asked.append(milliseconds)
            return state.asked.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = self.state.withLock { state in
                    if state.cancelled.contains(number) { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                self.changes.continuation.yield()
            }
        } onCancel: {
            let continuation = self.state.withLock { state in
                state.cancelled.insert(number)
                return state.waiting.removeValue(forKey: number)
            }
            continuation?.resume(throwing: CancellationError())
            self.changes.continuation.yield()
        }
    }

    func goOff() {
        let waiting = self.state.withLock { state in
            let waiting = state.waiting
            state.waiting = [:]
            return waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    func until(_ condition: () -> Bool) async {
        var changes = self.changes.stream.makeAsyncIterator()
        while !condition() { await changes.next() }
    }
}

struct DeadlinesTests {
    @Test func anAnswerInTimeIsGiven() async {
        let alarm = Alarm()
        let start = ContinuousClock.now
        let elapsed = Mutex(0)
        let deadlines = Deadlines(
            milliseconds: 60_000, sleep: alarm.sleep, now: { start + .milliseconds(elapsed.withLock { $0 }) })
        let waiting = deadlines.enter {}
        for number in 0..<100 { #expect(await deadlines.run(-1) { number } == number) }
        await alarm.until { alarm.asked.count == 1 }
        // Those that begin when a twentieth of the time is over have another timer.
        elapsed.withLock { $0 = 3000 }
        let later = deadlines.enter {}
        for number in 0..<100 { #expect(await deadlines.run(-1) { number } == number) }
        await alarm.until { alarm.asked.count == 2 }
        waiting.leave()
        later.leave()
        await alarm.until { alarm.cancelledCount == 2 }
        #expect(alarm.asked == [60_000, 60_000])
    }

    @Test func whatIsLateIsNotWaitedForAndGoesOn() async {
        let alarm = Alarm()
        let deadlines = Deadlines(milliseconds: 60_000, sleep: alarm.sleep)
        let (ends, end) = AsyncStream<Int>.makeStream()
        let (release, gate) = AsyncStream<Void>.makeStream()
        async let answers = withTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    await deadlines.run(-1) {
                        for await _ in release { break }
                        end.yield(number)
                        return number
                    }
                }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        await alarm.until { alarm.asked.count == 1 }
        // Calls that join after the alarm get a timer of their own, and it goes off too.
        let ringing = Task {
            while !Task.isCancelled {
                alarm.goOff()
                await Task.yield()
            }
        }
        #expect(await answers == Array(repeating: -1, count: 8))
        ringing.cancel()
        gate.finish()
        var iterator = ends.makeAsyncIterator()
        var ended: Set<Int> = []
        while ended.count < 8, let number = await iterator.next() { ended.insert(number) }
        #expect(ended == Set(0..<8))
    }

    @Test func entriesThatAreLeftDoNotExpire() async {
        let alarm = Alarm()
        let deadlines = Deadlines(milliseconds: 60_000, sleep: alarm.sleep)
        let (expirations, expiration) = AsyncStream<String>.makeStream()
        let left = deadlines.enter { expiration.yield("left") }
        _ = deadlines.enter { expiration.yield("kept") }
        left.leave()
        await alarm.until { alarm.asked.count == 1 }
        alarm.goOff()
        var iterator = expirations.makeAsyncIterator()
        #expect(await iterator.next() == "kept")
        expiration.finish()
        #expect(await iterator.next() == nil)
    }

    @Test func aTimerThatNobodyNeedsIsCancelled() async {
        let alarm = Alarm()
        let deadlines = Deadlines(milliseconds: 60_000, sleep: alarm.sleep)
        let entries = (0..<3).map { _ in deadlines.enter {} }
        await alarm.until { alarm.asked.count == 1 }
        for entry in entries.dropLast() { entry.leave() }
        #expect(alarm.cancelledCount == 0)
        for entry in entries { entry.leave() }
        await alarm.until { alarm.cancelledCount == 1 }
        #expect(await deadlines.run(-1) { 1 } == 1)
        await alarm.until { alarm.asked.count == 2 }
    }

    @Test func callsAndTimersRunWhereTheyAreSent() async {
        let alarm = Alarm()
        let executor = CountingExecutor()
        let deadlines = Deadlines(milliseconds: 60_000, sleep: alarm.sleep, executor: executor)
        #expect(await deadlines.run(-1) { 7 } == 7)
        // A call and its timer.
        #expect(executor.jobsCount >= 2)
    }

    /// What has less time than the others waits for no timer of theirs, and they not for its.
    @Test func lessTimeHasATimerOfItsOwn() async {
        let alarm = Alarm()
        let deadlines = Deadlines(milliseconds: 60_000, sleep: alarm.sleep)
        let (expirations, expiration) = AsyncStream<String>.makeStream()
        let usual = deadlines.enter { expiration.yield("usual") }
        await alarm.until { alarm.waitingCount == 1 }
        let (never, end) = AsyncStream<Void>.makeStream()
        async let late = deadlines.run("late", within: 14_000) {
            for await _ in never {}
            return "never"
        }
        let more = deadlines.enter(within: 90_000) { expiration.yield("more") }
        await alarm.until { alarm.waitingCount == 2 }
        #expect(alarm.asked == [60_000, 14_000])
        usual.leave()
        more.leave()
        await alarm.until { alarm.cancelledCount == 1 }
        alarm.goOff()
        #expect(await late == "late")
        end.finish()
        expiration.finish()
        for await unexpected in expirations { Issue.record("\(unexpected) has expired") }
    }

    @Test func thoseThatCameFirstAreLateFirst() async {
        let alarm = Alarm()
        let deadlines = Deadlines(milliseconds: 60_000, sleep: alarm.sleep)
        let (late, continuation) = AsyncStream<Int>.makeStream()
        for number in 0..<50 { _ = deadlines.enter { continuation.yield(number) } }
        await alarm.until { alarm.waitingCount == 1 }
        alarm.goOff()
        var order: [Int] = []
        for await number in late {
            order.append(number)
            if order.count == 50 { break }
        }
        #expect(order == Array(0..<50))
    }
}

/// Runs jobs on the system's threads, and counts them.
private final class CountingExecutor: TaskExecutor {
    private let count = Mutex(0)

    var jobsCount: Int { self.count.withLock { $0 } }

    func enqueue(_ job: consuming ExecutorJob) {
        self.count.withLock { $0 += 1 }
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
