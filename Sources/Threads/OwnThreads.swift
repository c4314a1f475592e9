//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization

// Tasks share as many threads as there are processors. What blocks must stand on none of them, nor on a concurrent queue of
// libdispatch: that takes its threads from the same pool, and while they are all blocked gets one more a second, so that
// a silent name server would stop every task of the program.

/// Runs what blocks on a thread of its own.
public func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result(catching: work)) }.start()
    }
}

/// Threads for what blocks and cannot be stopped, a number of them at the most.
public final class OwnThreads: Sendable {
    private let countMax: Int
    private let name: String
    private let count = Mutex(0)

    /// - Parameter name: of the threads, for whoever looks at the process.
    public init(_ name: String, countMax: Int) {
        self.name = name
        self.countMax = countMax
    }

    /// - Returns: whether it will run: not while as many others do as may.
    public func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        let mayStart = self.count.withLock { count in
            guard count < self.countMax else { return false }
            count += 1
            return true
        }
        guard mayStart else { return false }
        let thread = Thread {
            work()
            self.count.withLock { $0 -= 1 }
        }
        thread.name = self.name
        thread.start()
        return true
    }
}
