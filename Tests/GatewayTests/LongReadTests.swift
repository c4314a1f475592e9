//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization
import Testing

@testable @_spi(Administration) import Gateway

/// A walk over the whole ledger for each caller would hold the connections that payments wait for.
final class LongReadTests: Sendable {
    private let turn = LongReadTurn()
    private let read: JoinedRead<Int>
    private let asked = Mutex(0)
    /// Ends an asking.
    private let ends = AsyncStream<Void>.makeStream()
    /// Says that one has begun.
    private let begins = AsyncStream<Void>.makeStream()

    init() {
        self.read = JoinedRead(self.turn)
    }

    private func ask() -> Task<Int, any Error> {
        // As far as the actor's queue, in the order of these calls.
        Task.immediate {
            try await self.read.value {
                let number = self.asked.withLock { asked in
                    asked += 1
                    return asked
                }
                self.begins.continuation.yield()
                var ends = self.ends.stream.makeAsyncIterator()
                await ends.next()
                return number
            }
        }
    }

    @Test func thoseWhoComeMeanwhileShareTheNextOne() async throws {
        var begins = self.begins.stream.makeAsyncIterator()
        let first = self.ask()
        await begins.next()
        let others = (0..<5).map { _ in self.ask() }
        #expect(self.asked.withLock { $0 } == 1)
        self.ends.continuation.yield()
        #expect(try await first.value == 1)
        await begins.next()
        // One who comes while the second is asked does not get what it may have read before.
        let late = self.ask()
        self.ends.continuation.yield()
        for other in others { #expect(try await other.value == 2) }
        self.ends.continuation.yield()
        #expect(try await late.value == 3)
        #expect(self.asked.withLock { $0 } == 3)
    }

    @Test func anotherOneWaitsForItsTurn() async throws {
        var begins = self.begins.stream.makeAsyncIterator()
        let first = self.ask()
        await begins.next()
        let other = JoinedRead<String>(self.turn)
        let asked = Mutex(false)
        let second = Task.immediate {
            try await other.value {
                asked.withLock { $0 = true }
                return "other"
            }
        }
        // One that waits for nobody is through by now.
        let free = JoinedRead<Int>(LongReadTurn())
        for number in 0..<20 { #expect(try await free.value { number } == number) }
        #expect(!asked.withLock { $0 })
        self.ends.continuation.yield()
        #expect(try await first.value == 1)
        #expect(try await second.value == "other")
    }

    /// Whoever asks in a loop is refused, and keeps nobody waiting for hours.
    @Test func tooManyThatWaitAreRefused() async throws {
        let reads = LongReads(now: { TestAuthorities.start }, steadyNow: { .now })
        var begins = self.begins.stream.makeAsyncIterator()
        let first = Task.immediate {
            try await reads.value {
                self.begins.continuation.yield()
                var ends = self.ends.stream.makeAsyncIterator()
                await ends.next()
                return 0
            }
        }
        await begins.next()
        let waiting = (1...LongReads.waitingMax).map { number in Task.immediate { try await reads.value { number } } }
        while await reads.waitingCount < LongReads.waitingMax { await Task.yield() }
        await #expect(throws: StoreError.self) { try await reads.value { -1 } }
        waiting.last?.cancel()
        self.ends.continuation.yield()
        #expect(try await first.value == 0)
        for (number, task) in zip(1..., waiting.dropLast()) { #expect(try await task.value == number) }
        await #expect(throws: CancellationError.self) { try await waiting.last?.value }
        #expect(try await reads.value { 7 } == 7)
    }

    @Test func aFailureIsOfThoseAloneWhoAskedForIt() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await self.read.value { throw Failure() } }
        #expect(try await self.read.value { 7 } == 7)
    }
}
