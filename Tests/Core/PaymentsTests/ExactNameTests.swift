//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Testing

/// Names are compared by their bytes, as both SQL stores compare them: Swift takes some that differ for the same (Unicode
/// Standard, section 3.7), and a shop's second order would be its first.
@Suite struct ExactNameTests {
    /// Equal by `==`, and not by their bytes.
    private static let pairs = [("Caf\u{E9}", "Cafe\u{301}"), ("K", "\u{212A}"), ("a;b", "a\u{37E}b")]

    private func reference(_ value: String, kind: String = "refundRequestId") -> Reference {
        Reference(merchantID: Story.merchantID, dialect: DialectName("test"), kind: kind, value: value)
    }

    private func key(_ key: String) -> IdempotencyKey {
        IdempotencyKey(merchantID: Story.merchantID, dialect: DialectName("test"), operation: "refund", key: key)
    }

    @Test(arguments: Self.pairs) func equivalentReferencesAreTwo(_ one: String, _ other: String) {
        #expect(one == other)
        #expect(self.reference(one) != self.reference(other) && self.reference(one) == self.reference(one))
        #expect(self.reference("1", kind: one) != self.reference("1", kind: other))
        #expect(Set([one, other, one].map { self.reference($0) }).count == 2)
    }

    @Test(arguments: Self.pairs) func equivalentKeysAreTwo(_ one: String, _ other: String) {
        #expect(self.key(one) != self.key(other) && self.key(one) == self.key(one))
        #expect(Set([one, other, one].map { self.key($0) }).count == 2)
    }

    @Test func reportOfAnEquivalentNameIsAnother() throws {
        let story = try Story("open 1000 sale", "a succeeds", "b chargeback 400 as Caf\u{E9}")
        let payment = try story.payment
        #expect(payment.isReported("Caf\u{E9}") && !payment.isReported("Cafe\u{301}") && !payment.isReported("Caf"))
    }
}
