//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
import TestRandom

/// Runs the jobs of all its executors on the one thread that calls ``run(until:stepsMax:)``, one at a time, and chooses
/// which is next by a seed. Time is a number: it moves only when nothing is ready, to the next moment at which a sleeper
/// wants to wake.
///
/// So the same seed gives the same order of everything, as long as whatever is awaited is awaited here.
final class Scheduler: Sendable {
    private struct Ready {
        let job: UnownedJob
        let executor: ScheduledExecutor
    }

    private struct Timer {
        let id: UInt64
        let dueAt: Int64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var random: SeededRandom
        var ready: [Ready] = []
        var timers: [Timer] = []
        var milliseconds: Int64 = 0
        var stepsCount = 0
        var nextTimer: UInt64 = 0
        var nextExecutor = 0
        /// Executors whose jobs wait although they are ready: processes that are stopped.
        var held: Set<Int> = []
        /// What is to be done between two steps, and before which.
        var interruption: (step: Int, action: @Sendable () -> Void)?
        var isEnding = false
    }

    private enum Step {
        case job(Ready)
        case wake(Timer)
        case interrupt(@Sendable () -> Void)
        case idle
    }

    enum End: Hashable, Sendable {
        case finished
        /// Nothing is ready and nobody sleeps.
        case stuck
        case tooManySteps
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        self.state = Mutex(State(random: SeededRandom(seed: seed)))
    }

    func makeExecutor() -> ScheduledExecutor {
        let number = self.state.withLock { state in
            state.nextExecutor += 1
            return state.nextExecutor
        }
        return ScheduledExecutor(number: number, scheduler: self)
    }

    /// Since the beginning.
    var milliseconds: Int64 { self.state.withLock { $0.milliseconds } }

    var stepsCount: Int { self.state.withLock { $0.stepsCount } }

    // MARK: - Running

    /// Runs jobs until it is notified that all is done; then wakes all sleepers with an error, and runs what is left.
    func run(until isFinished: () -> Bool, stepsMax: Int) -> End {
        var end = End.finished
        loop: while !isFinished() {
            guard self.stepsCount < stepsMax else {
                end = .tooManySteps
                break
            }
            switch self.nextStep() {
            case .idle:
                end = .stuck
                break loop
            case let step: self.perform(step)
            }
        }
        self.state.withLock { state in
            state.isEnding = true
            state.held = []
            state.interruption = nil
        }
        for _ in 0..<stepsMax {
            let step = self.nextStep()
            if case .idle = step { break }
            self.perform(step)
        }
        return end
    }

    private func nextStep() -> Step {
        self.state.withLock { state in
            state.stepsCount += 1
            if let interruption = state.interruption, interruption.step <= state.stepsCount {
                state.interruption = nil
                return .interrupt(interruption.action)
            }
            let held = state.held
            let runnable =
                held.isEmpty
                ? Array(state.ready.indices)
                : state.ready.indices.filter { !held.contains(state.ready[$0].executor.number) }
            if let index = runnable.randomElement(using: &state.random) { return .job(state.ready.remove(at: index)) }
            let earliest = state.timers.indices.min {
                (state.timers[$0].dueAt, state.timers[$0].id) < (state.timers[$1].dueAt, state.timers[$1].id)
            }
            guard let earliest else { return .idle }
            let timer = state.timers.remove(at: earliest)
            state.milliseconds = max(state.milliseconds, timer.dueAt)
            return .wake(timer)
        }
    }

    private func perform(_ step: Step) {
        switch step {
        case .job(let ready): ready.job.runSynchronously(on: ready.executor.asUnownedTaskExecutor())
        case .wake(let timer):
            if self.state.withLock({ $0.isEnding }) {
                timer.continuation.resume(throwing: CancellationError())
            } else {
                timer.continuation.resume()
            }
        case .interrupt(let action): action()
        case .idle: break
        }
    }

    // MARK: - From the executors

    func enqueue(_ job: UnownedJob, on executor: ScheduledExecutor) {
        self.state.withLock { $0.ready.append(Ready(job: job, executor: executor)) }
    }

    /// Returns after that much virtual time.
    /// - Throws: `CancellationError` when the task is cancelled or the scheduler has come to its end.
    func sleep(milliseconds: Int64) async throws {
        let id = self.state.withLock { state in
            state.nextTimer += 1
            return state.nextTimer
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = self.state.withLock { state in
                    if state.isEnding || Task.isCancelled { return true }
                    let dueAt = state.milliseconds + max(0, milliseconds)
                    state.timers.append(Timer(id: id, dueAt: dueAt, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let timer = self.state.withLock { state in
                state.timers.firstIndex { $0.id == id }.map { state.timers.remove(at: $0) }
            }
            timer?.continuation.resume(throwing: CancellationError())
        }
    }

    // MARK: - Faults

    /// From now on nothing of an executor runs: its process is stopped (SIGSTOP).
    func hold(_ executor: ScheduledExecutor) {
        self.state.withLock { state in
            guard !state.isEnding else { return }
            state.held.insert(executor.number)
        }
    }

    func release(_ executor: ScheduledExecutor) {
        self.state.withLock { _ = $0.held.remove(executor.number) }
    }

    /// Does something between two steps, whatever is under way then.
    func interrupt(afterSteps count: Int, _ action: @escaping @Sendable () -> Void) {
        self.state.withLock { $0.interruption = ($0.stepsCount + count, action) }
    }

    func cancelInterruption() {
        self.state.withLock { $0.interruption = nil }
    }
}
