//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
import TestGateway
import Testing
import Time

@testable @_spi(Administration) import Gateway

/// A read that takes longer than an answer may is answered from what is kept.
final class KeptReadTests: Sendable {
    private let start = ContinuousClock.now
    /// How much time has passed, how long each asking takes, and how often it was asked.
    private let state = Mutex((milliseconds: Int64(0), takes: Int64(2000), asked: 0))
    private let turn = LongReadTurn()

    private func read() -> KeptRead<Int> {
        KeptRead(
            self.turn,
            now: { TestAuthorities.start.adding(milliseconds: self.state.withLock { $0.milliseconds }) },
            steadyNow: { self.start + .milliseconds(self.state.withLock { $0.milliseconds }) })
    }

    private func ask() -> Int {
        self.state.withLock { state in
            state.milliseconds += state.takes
            state.asked += 1
            return state.asked
        }
    }

    private func advance(seconds: Int64) { self.state.withLock { $0.milliseconds += seconds * 1000 } }

    @Test func whatTookLongIsKeptForSomeMinutes() async throws {
        let read = self.read()
        let first = try await read.recent { self.ask() }
        #expect(first.value == 1 && first.asOf == TestAuthorities.start)
        self.advance(seconds: 297)
        let second = try await read.recent { self.ask() }
        #expect(second.value == 1 && second.asOf == TestAuthorities.start)
        // One who wants it as it is now gets that, and so do those who come after him.
        #expect(try await read.value { self.ask() }.value == 2)
        #expect(try await read.recent { self.ask() }.value == 2)
        self.advance(seconds: 900)
        let late = try await read.recent { self.ask() }
        #expect(late.value == 3 && late.asOf > TestAuthorities.start.adding(seconds: 900))
    }

    @Test func whatIsKeptIsGivenWhileOneAsksAnew() async throws {
        let read = self.read()
        #expect(try await read.recent { self.ask() }.value == 1)
        self.advance(seconds: 600)
        // As while the books are checked.
        let (begun, gate) = (Gate(), Gate())
        let check = Task {
            try await self.turn.run {
                begun.open()
                await gate.wait()
            }
        }
        await begun.wait()
        for _ in 1...3 { #expect(try await read.recent { self.ask() }.value == 1) }
        gate.open()
        try await check.value
        while try await read.recent({ self.ask() }).value == 1 { await Task.yield() }
        #expect(self.state.withLock { $0.asked } == 2)
    }

    @Test func whatTookNoTimeIsAskedEachTime() async throws {
        self.state.withLock { $0.takes = 900 }
        let read = self.read()
        for number in 1...3 { #expect(try await read.recent { self.ask() }.value == number) }
    }

    @Test func whatFailsIsNotKept() async throws {
        struct Failure: Error {}
        let read = self.read()
        await #expect(throws: Failure.self) { try await read.recent { throw Failure() } }
        #expect(try await read.recent { self.ask() }.value == 1)
        self.advance(seconds: 600)
        #expect(try await read.recent { throw Failure() }.value == 1)
        while try await read.recent({ self.ask() }).value == 1 { await Task.yield() }
    }
}
