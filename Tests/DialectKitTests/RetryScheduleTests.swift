//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Testing

@Suite struct RetryScheduleTests {
    @Test func waitsAsTheDelaysSayAndThenGivesUp() {
        let schedule = RetrySchedule(delaysSeconds: [5, 10])
        #expect(schedule.delaySeconds(afterAttempts: 1) == 5)
        #expect(schedule.delaySeconds(afterAttempts: 2) == 10)
        #expect(schedule.delaySeconds(afterAttempts: 3) == nil)
        #expect(RetrySchedule(delaysSeconds: []).delaySeconds(afterAttempts: 1) == nil)
    }
}
