//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Lets a test say when something goes on, so that none has to sleep.
final class Signal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (self.stream, self.continuation) = AsyncStream.makeStream()
    }

    /// Lets one waiter, now or later, go on.
    func send() {
        self.continuation.yield()
    }

    func wait() async {
        for await _ in self.stream { return }
    }
}

/// Says whether something has happened.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { self.value.load(ordering: .acquiring) }

    func set() {
        self.value.store(true, ordering: .releasing)
    }
}
