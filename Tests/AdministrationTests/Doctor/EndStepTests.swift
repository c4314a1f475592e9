//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Testing
import Time

/// When a certificate is close to its end: by its own life.
@Suite struct EndStepTests {
    private static let daySeconds: Int64 = 86_400

    private func found(life: Int64, hoursLeft: Int64) -> String? {
        let end = Timestamp(seconds: 2_000_000_000)
        let step = Finding.endStep(
            notBefore: end.adding(seconds: -life * Self.daySeconds), notAfter: end,
            at: end.adding(seconds: -hoursLeft * 3600))
        return step.map { "\($0.severity) \($0.days)" }
    }

    /// What a program renews when a third of the life is left is spoken of when a quarter is.
    @Test(
        arguments: [
            (760, 61 * 24, nil), (760, 59 * 24, "notice 60"), (760, 29 * 24, "warning 30"),
            (760, 13 * 24, "failure 14"),
            (120, 59 * 24, "notice 60"), (120, 29 * 24, "warning 30"),
            (90, 30 * 24, nil), (90, 23 * 24, nil), (90, 22 * 24, "warning 23"), (90, 10 * 24, "failure 11"),
            (90, 5 * 24, "failure 6"), (90, 12, "failure 1"), (90, 0, "failure 0"),
            (47, 16 * 24, nil), (47, 11 * 24, "warning 12"), (47, 5 * 24, "failure 6"),
            (6, 6 * 24, nil), (6, 48, nil), (6, 37, nil), (6, 35, "warning 2"), (6, 16, "failure 1"),
            (6, -1, "failure 0"),
        ] as [(Int64, Int64, String?)])
    func stepsFitTheLife(_ life: Int64, _ hoursLeft: Int64, _ expected: String?) {
        #expect(self.found(life: life, hoursLeft: hoursLeft) == expected)
    }

    /// A new one of whatever life is no trouble.
    @Test func whatHasJustBegunIsFarFromItsEnd() {
        for life in 1...120 as ClosedRange<Int64> {
            #expect(self.found(life: life, hoursLeft: life * 24) == nil, "\(life) days")
        }
    }

    /// One that ends before it begins has ended at its end, and is nothing before.
    @Test func lifeThatIsNoneIsNoError() {
        #expect(self.found(life: -3, hoursLeft: 1) == nil)
        #expect(self.found(life: -3, hoursLeft: -1) == "failure 0")
    }

    @Test func timeIsSaidInHoursWhenThereIsLittle() {
        let now = Timestamp(seconds: 2_000_000_000)
        #expect(Finding.timeLeft(until: now.adding(seconds: 12 * 86_400 + 5), at: now) == "12 days")
        #expect(Finding.timeLeft(until: now.adding(seconds: 30 * 3600 + 5), at: now) == "30 hours")
        #expect(Finding.timeLeft(until: now.adding(seconds: -5), at: now) == "0 hours")
    }
}
