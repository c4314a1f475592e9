//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing
import Time

@Suite("Spans of a clock")
struct SpanTests {
    @Test(
        arguments: [
            (Duration.zero, 0), (.nanoseconds(999_999), 0), (.microseconds(1900), 1), (.microseconds(-1900), -1),
            (.seconds(86_400), 86_400_000), (.seconds(2) + .nanoseconds(3_000_001), 2003),
        ] as [(Duration, Int64)])
    func dropsWhatIsLeftOfTheLastMillisecond(_ duration: Duration, _ milliseconds: Int64) {
        #expect(duration.wholeMilliseconds == milliseconds)
    }

    @Test func isNeverLessThanNothing() {
        let begin = ContinuousClock.now
        let end = begin + .microseconds(1500)
        #expect(end.milliseconds(after: begin) == 1)
        #expect(begin.milliseconds(after: begin) == 0)
        #expect(begin.milliseconds(after: end) == 0)
        #expect(begin.milliseconds(after: begin + .seconds(3600)) == 0)
    }
}
