//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Testing
import Time

/// Clocks against other clocks.
struct ClockTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    private static func comparison(
        said milliseconds: Int64, precision: Int64 = 1, took: Int64 = 0
    ) -> ClockComparison {
        ClockComparison(
            name: "other", said: Self.now.adding(milliseconds: milliseconds), precision: precision, before: Self.now,
            after: Self.now.adding(milliseconds: took))
    }

    /// What the way takes and what is not said of a second is nobody's fault.
    @Test(
        arguments: [
            (0, 1, 0, 0), (400, 1, 500, 0), (-900, 1000, 0, 0), (900, 1, 0, -900), (-5000, 1000, 0, 4000),
            (5000, 1, 1000, -4000),
        ] as [(Int64, Int64, Int64, Int64)])
    func differsByNoMoreThanIsCertain(said: Int64, precision: Int64, took: Int64, ahead: Int64) {
        #expect(Self.comparison(said: said, precision: precision, took: took).aheadMilliseconds == ahead)
    }

    @Test(
        arguments: [
            (0, Finding.Severity.good, "clock_agrees"), (1999, .good, "clock_agrees"),
            (2000, .warning, "clock_differs"),
            (-29_999, .warning, "clock_differs"), (30_000, .failure, "clock_differs"),
            (-30_000, .failure, "clock_differs"),
        ] as [(Int64, Finding.Severity, String)])
    func isJudgedByHowFarItIsOff(ahead: Int64, severity: Finding.Severity, code: String) {
        let finding = ClockComparison(name: "the database", aheadMilliseconds: ahead).finding
        #expect(finding.severity == severity && finding.code == code && finding.subject == "the database")
    }

    @Test func saysWhichWayItIsOff() {
        #expect(ClockComparison(name: "x", aheadMilliseconds: 4000).finding.text.contains("4 seconds ahead of x"))
        #expect(ClockComparison(name: "x", aheadMilliseconds: -4000).finding.text.contains("4 seconds behind x"))
    }

    @Test func seesThatAClockWasSetAndSpeaksOfItForAnHour() {
        var watch = ClockWatch(now: Self.now, steadyMilliseconds: 0)
        // It keeps time, more or less.
        #expect(watch.look(now: Self.now.adding(milliseconds: 31_000), steadyMilliseconds: 30_000) == nil)
        let back = watch.look(now: Self.now, steadyMilliseconds: 60_000)
        #expect(back?.code == "clock_set" && back?.severity == .failure)
        #expect(back?.text.contains("61 seconds back") == true)
        #expect(watch.look(now: Self.now.adding(seconds: 3599), steadyMilliseconds: 60_000 + 3_599_000) != nil)
        #expect(watch.look(now: Self.now.adding(seconds: 3600), steadyMilliseconds: 60_000 + 3_600_000) == nil)
        let forward = watch.look(now: Self.now.adding(seconds: 3612), steadyMilliseconds: 60_000 + 3_602_000)
        #expect(forward?.severity == .warning && forward?.text.contains("10 seconds forward") == true)
    }
}
