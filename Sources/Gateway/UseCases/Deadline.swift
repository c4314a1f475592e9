//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

extension Gateway {
    /// Runs an acquirer call for as long as it may take. What comes later is not waited for: the operation is unknown,
    /// and recovery asks.
    func withDeadline(_ call: @escaping @Sendable () async -> AcquirerOutcome) async -> AcquirerOutcome {
        await self.withDeadline(.unknown("deadline_passed"), call)
    }

    /// Runs a call for as long as it may take.
    /// - Parameter late: what takes the place of an answer that comes later.
    func withDeadline<Value: Sendable>(_ late: Value, _ call: @escaping @Sendable () async -> Value) async -> Value {
        let milliseconds = self.settings.acquirerDeadlineSeconds * 1000
        let sleep = self.sleep
        return await Gateway.race(
            call,
            {
                // A sleep that ends early because it was cancelled has lost the race already.
                try? await sleep(milliseconds)
                return late
            })
    }

    /// The first of two results. The loser is cancelled but not waited for, which is why this is no task group.
    static func race<Value: Sendable>(
        _ first: @escaping @Sendable () async -> Value, _ second: @escaping @Sendable () async -> Value
    ) async -> Value {
        let race = Race<Value>()
        let tasks = [Task { race.finish(await first()) }, Task { race.finish(await second()) }]
        let value = await withCheckedContinuation { race.await($0) }
        for task in tasks { task.cancel() }
        return value
    }
}

/// Resumes one continuation once, whichever of the results and the continuation comes first.
private final class Race<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case waiting(CheckedContinuation<Value, Never>)
        case won(Value)
        case done
    }

    private let state = Mutex(State.open)

    func await(_ continuation: CheckedContinuation<Value, Never>) {
        let value: Value? = self.state.withLock { state in
            if case .won(let value) = state {
                state = .done
                return value
            }
            state = .waiting(continuation)
            return nil
        }
        if let value { continuation.resume(returning: value) }
    }

    func finish(_ value: Value) {
        let continuation: CheckedContinuation<Value, Never>? = self.state.withLock { state in
            switch state {
            case .open:
                state = .won(value)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .won, .done: return nil
            }
        }
        continuation?.resume(returning: value)
    }
}
