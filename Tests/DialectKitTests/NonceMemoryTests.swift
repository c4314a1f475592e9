//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Testing
import Time

@Suite struct NonceMemoryTests {
    private let start = Timestamp(seconds: 1_800_000_000)

    @Test func refusesANonceTwiceWhileItIsRemembered() {
        let memory = NonceMemory()
        let end = self.start.adding(seconds: 300)
        #expect(memory.remember("n1", scope: "a", until: end, now: self.start) == .fresh)
        #expect(memory.remember("n1", scope: "a", until: end, now: self.start) == .reused)
        #expect(memory.remember("n1", scope: "a", until: end.adding(seconds: 60), now: self.start) == .reused)
        #expect(memory.remember("n1", scope: "a", until: end, now: end) == .reused)
        #expect(memory.remember("n1", scope: "b", until: end, now: self.start) == .fresh)
        #expect(memory.remember("n2", scope: "a", until: end, now: self.start) == .fresh)
    }

    @Test func forgetsANonceAfterItsEnd() {
        let memory = NonceMemory(capacity: 1)
        #expect(memory.remember("n1", scope: "a", until: self.start, now: self.start) == .fresh)
        #expect(memory.remember("n2", scope: "a", until: self.start, now: self.start) == .full)
        let later = self.start.adding(seconds: 120)
        #expect(memory.remember("n2", scope: "a", until: later, now: later) == .fresh)
    }

    @Test func refusesWhatItHasNoRoomForInsteadOfForgetting() {
        let memory = NonceMemory(capacity: 2)
        let end = self.start.adding(seconds: 300)
        #expect(memory.remember("n1", scope: "a", until: end, now: self.start) == .fresh)
        #expect(memory.remember("n2", scope: "a", until: end, now: self.start) == .fresh)
        #expect(memory.remember("n3", scope: "a", until: end, now: self.start) == .full)
        #expect(memory.remember("n1", scope: "a", until: end, now: self.start) == .reused)
    }

    @Test func scopeAndNonceDoNotRunTogether() {
        let memory = NonceMemory()
        let end = self.start.adding(seconds: 300)
        #expect(memory.remember("bc", scope: "a", until: end, now: self.start) == .fresh)
        #expect(memory.remember("c", scope: "ab", until: end, now: self.start) == .fresh)
    }
}
