//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Simulation
import Testing

/// Whether the simulation does what it promises.
struct SimulationTests {
    @Test(arguments: [3, 20, 77, 1234] as [UInt64])
    func sameSeedIsTheSameHistory(seed: UInt64) async throws {
        let reports = try await Simulation.run(seeds: [seed, seed, seed &+ 1])
        try #require(reports.count == 3)
        #expect(reports[0].trace == reports[1].trace)
        #expect(reports[0].digest == reports[1].digest)
        #expect(reports[0].stepsCount == reports[1].stepsCount)
        #expect(reports[0].digest != reports[2].digest)
    }

    @Test(arguments: PlantedBug.allCases)
    func everyPlantedBugIsFound(bug: PlantedBug) async throws {
        var settings = SimulationSettings()
        settings.bug = bug
        for seed in 1...24 as ClosedRange<UInt64> {
            let reports = try await Simulation.run(seeds: [seed], settings: settings)
            if reports.contains(where: { !$0.violations.isEmpty }) { return }
        }
        Issue.record("\(bug.rawValue) is not found")
    }

    @Test func historiesWithoutFaultsHaveNone() async throws {
        var settings = SimulationSettings()
        settings.hasFaults = false
        for report in try await Simulation.run(seeds: Array(1...6), settings: settings) {
            #expect(report.violations == [], "\(report.explanation())")
            #expect(report.faults.isEmpty)
            #expect(report.paymentsCount > 0)
        }
    }
}
