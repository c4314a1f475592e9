//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import TestRandom

/// How rough a history is: what goes wrong how often, drawn from the seed.
struct Weather: Sendable {
    /// Percentages of calls.
    var acquirer = 0
    var storeRefusals = 0
    var unknownCommits = 0
    var secondRuns = 0
    var slowWrites = 0
    var webhooks = 0
    var impatience = 0
    /// How many steps of the scheduler lie between two of crashes, stalls and clock steps; `nil` for none of them.
    var interruptionGap: ClosedRange<Int>?

    static let calm = Weather()

    init() {}

    init(using random: inout SeededRandom) {
        func level(_ levels: [Int]) -> Int { levels.randomElement(using: &random) ?? 0 }
        self.acquirer = level([0, 10, 25, 50, 70])
        self.storeRefusals = level([0, 0, 1, 3, 8])
        self.unknownCommits = level([0, 0, 1, 3, 8])
        self.secondRuns = level([0, 5])
        self.slowWrites = level([0, 0, 1, 3])
        self.webhooks = level([0, 15, 50])
        self.impatience = level([0, 10, 30])
        let gap = level([0, 100, 300, 900, 2500])
        self.interruptionGap = gap == 0 ? nil : gap / 5...gap * 2
    }
}
