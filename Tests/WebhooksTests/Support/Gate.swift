//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// Waits until it is opened.
final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [AsyncStream<Void>.Continuation])>((false, []))

    func wait() async {
        let (opening, opened) = AsyncStream<Void>.makeStream()
        self.state.withLock { state in
            if state.isOpen { opened.finish() } else { state.waiting.append(opened) }
        }
        for await _ in opening {}
    }

    func open() {
        self.state.withLock { state in
            for waiting in state.waiting { waiting.finish() }
            state = (true, [])
        }
    }

    func close() { self.state.withLock { $0.isOpen = false } }
}
