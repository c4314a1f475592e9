//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import pomona

@Suite struct SystemRandomTests {
    /// The system gives 256 bytes at once.
    @Test(arguments: [0, 1, 10, 255, 256, 257, 1000]) func drawsSoMany(_ count: Int) {
        #expect(SystemRandom.bytes(count).count == count)
    }

    /// Every place of a long draw is filled: a byte that is zero in all of sixteen draws is zero by no chance (2^-128 each).
    @Test func fillsEveryPlace() {
        let draws = (0..<16).map { _ in SystemRandom.bytes(600) }
        #expect((0..<600).allSatisfy { place in draws.contains { $0[place] != 0 } })
        #expect(Set(draws).count == 16)
    }
}
