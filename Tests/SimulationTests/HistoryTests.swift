//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Simulation
import Testing

/// Random histories, each with its own faults. What each must keep is said in `Testing/Simulation/Laws`.
struct HistoryTests {
    /// `POMONA_SIMULATION_SEED` and `POMONA_SIMULATION_COUNT` set them for a longer run, or to see a failure again.
    private static let firstSeed =
        UInt64(ProcessInfo.processInfo.environment["POMONA_SIMULATION_SEED"] ?? "") ?? 20_261_121
    private static let count = UInt64(ProcessInfo.processInfo.environment["POMONA_SIMULATION_COUNT"] ?? "") ?? 300
    private static let isByHand = ProcessInfo.processInfo.environment["POMONA_SIMULATION_COUNT"] != nil
    private static let batchesCount: UInt64 = 2

    @Test(arguments: 0..<Self.batchesCount)
    func nothingIsLostAndNothingIsDoubled(batch: UInt64) async throws {
        let seeds = (0..<Self.count).filter { $0 % Self.batchesCount == batch }.map { Self.firstSeed &+ $0 }
        var total = SimulationTotal()
        let start = ContinuousClock.now
        // Some at a time, because a trace is long.
        for first in stride(from: 0, to: seeds.count, by: 50) {
            for report in try await Simulation.run(seeds: Array(seeds[first..<min(first + 50, seeds.count)])) {
                total.add(report)
                if !report.violations.isEmpty { Issue.record("\(report.explanation())") }
            }
        }
        #expect(total.historiesCount == seeds.count)
        // The figures of docs/reliability.md.
        let line = "simulation: \(total) in \(ContinuousClock.now - start)\n"
        if Self.isByHand { FileHandle.standardError.write(Data(line.utf8)) }
    }
}
