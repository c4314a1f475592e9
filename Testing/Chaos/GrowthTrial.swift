//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// What a gateway takes with many payments in its store, beside another with few: in turn, so that a machine whose speed
/// drifts drifts for both.
public struct GrowthTrial: Sendable {
    /// A day's payments, in both stores, as many on each day: what a report of a day takes has the same to read.
    static let dayCount = 48_000
    /// The smaller store has the whole of yesterday, whatever the time is.
    static let fewCount = 2 * Self.dayCount

    private let settings: ChaosSettings
    private let sizes: [Int]
    private let roundsCount: Int
    private let ordersCount: Int

    /// - Parameters:
    ///   - settings: of these the program, the store, the seed, the shops (who call at the same time) and the log.
    ///   - sizes: how many payments the larger store has, one after the other.
    ///   - roundsCount: how often all is measured at a size.
    ///   - ordersCount: how many orders of each dialect are paid in a round.
    public init(_ settings: ChaosSettings, sizes: [Int], roundsCount: Int = 5, ordersCount: Int = 300) {
        self.settings = settings
        self.sizes = sizes.sorted()
        self.roundsCount = roundsCount
        self.ordersCount = ordersCount
    }

    /// - Returns: what was measured, by size.
    public func run() async throws -> [GrowthReport] {
        try await GrowingDeployment.measuring(self.settings) { few in
            try await GrowingDeployment.measuring(self.settings) { many in try await self.measure(few, many) }
        }
    }

    private func measure(_ few: GrowingDeployment, _ many: GrowingDeployment) async throws -> [GrowthReport] {
        try await few.fill(Self.fewCount)
        var reports: [GrowthReport] = []
        for size in self.sizes {
            try await many.fill(size)
            var report = GrowthReport(
                few: try await few.size(), many: try await many.size(), filledMilliseconds: many.filledMilliseconds)
            // The first round warms up: the caches of a store that was filled are another process's.
            for round in 0...self.roundsCount {
                let small = try await few.round(ordersCount: self.ordersCount)
                let large = try await many.round(ordersCount: self.ordersCount)
                if round > 0 { report.add(small, large) }
                self.settings.log("round \(round) of \(self.roundsCount) with \(report.many.paymentsCount) payments")
            }
            // Before the check, which takes longest of all: what ends it takes no figures along.
            for line in report.lines { self.settings.log(line) }
            report.add(check: try await few.ledgerCheck(), try await many.ledgerCheck())
            for line in report.checkLines { self.settings.log(line) }
            reports.append(report)
        }
        return reports
    }
}
