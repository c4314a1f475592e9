//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch
import Foundation
import Testing
import Threads

@Suite struct OwnThreadsTests {
    /// More of them block at once than tasks have threads, and tasks run on.
    @Test func whatBlocksKeepsNoTaskWaiting() async throws {
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let threads = OwnThreads("test", countMax: count)
        let (begun, end) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        for _ in 0..<count {
            #expect(
                threads.start {
                    begun.continuation.yield()
                    end.wait()
                })
        }
        // All of them have begun while none can end.
        var iterator = begun.stream.makeAsyncIterator()
        for _ in 0..<count { await iterator.next() }
        #expect(!threads.start {}, "one more than may run")
        #expect(await Task.detached { 42 }.value == 42)
        for _ in 0..<count { end.signal() }
    }

    @Test func aPlaceIsFreeOnceItsWorkHasEnded() async throws {
        let threads = OwnThreads("test", countMax: 1)
        for _ in 0..<3 {
            let ended = AsyncStream.makeStream(of: Void.self)
            while !threads.start({ ended.continuation.finish() }) { await Task.yield() }
            for await _ in ended.stream {}
        }
    }

    @Test func anErrorComesBack() async throws {
        struct Failure: Error {}
        #expect(try await onOwnThread { 7 } == 7)
        await #expect(throws: Failure.self) { try await onOwnThread { throw Failure() } }
    }
}
