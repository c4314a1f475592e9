//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Testing

@Suite struct BoxedTests {
    private struct Two: Hashable {
        @Boxed var answer = AcquirerAnswer(reference: "1")
    }

    @Test func aCopyDoesNotSeeAChange() {
        let first = Two()
        var second = first
        second.answer.stan = "000001"
        #expect(first.answer == AcquirerAnswer(reference: "1"))
        #expect(second.answer == AcquirerAnswer(reference: "1", stan: "000001"))
    }

    @Test func whatIsEqualIsEqualInAnyPlace() {
        let (first, second) = (Two(), Two())
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        var third = second
        third.answer.reference = "2"
        #expect(third != first)
    }
}
