//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Something to wait for: those who wait go on when it is opened, or when they are cancelled, if they ask for that.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// - Parameter mindsCancellation: whether a cancelled task goes on at once; a request on its way to an acquirer
    ///   doesn't.
    public func wait(mindsCancellation: Bool = true) async {
        guard mindsCancellation else {
            await Task { await self.wait() }.value
            return
        }
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let isOpen = self.state.withLock { state in
            if !state.isOpen { state.waiting.append(continuation) }
            return state.isOpen
        }
        guard !isOpen else { return }
        for await _ in stream {}
    }

    public func open() {
        let waiting = self.state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.finish() }
    }

    /// Whoever begins to wait from now on waits again.
    public func close() { self.state.withLock { $0.isOpen = false } }
}

/// The acquirer's deadline, or that of a call: it never passes, unless a test lets it.
public final class TestDeadline: Sendable {
    private let gate = Mutex(Gate())

    public init() {}

    /// Whoever waits for the acquirer now, or begins to, waits no longer.
    public func pass() {
        self.gate.withLock { $0 }.open()
    }

    /// From now on the acquirer may take its time again.
    public func reset() {
        self.gate.withLock { $0 = Gate() }
    }

    public func wait() async throws {
        await self.gate.withLock { $0 }.wait()
        try Task.checkCancellation()
    }
}
