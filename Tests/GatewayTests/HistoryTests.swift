//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

/// Random lives of a shop. At the end of each the simulator's own book agrees with the payments and with the ledger.
struct HistoryTests {
    /// How many, and from which seed on; `POMONA_HISTORIES` and `POMONA_SEED` set them for a longer run or to see a
    /// failure again.
    private static let count = UInt64(ProcessInfo.processInfo.environment["POMONA_HISTORIES"] ?? "") ?? 400
    private static let firstSeed = UInt64(ProcessInfo.processInfo.environment["POMONA_SEED"] ?? "") ?? 20_260_921
    private static let batchesCount: UInt64 = 8

    @Test(arguments: 0..<Self.batchesCount)
    func gatewayLedgerAndAcquirerAgreeAtTheEndOfEveryHistory(batch: UInt64) async throws {
        for index in 0..<Self.count where index % Self.batchesCount == batch {
            let seed = Self.firstSeed &+ index
            var history = try await History(seed: seed)
            do {
                let problems = try await history.run()
                let life = history.trace.joined(separator: "\n")
                #expect(problems == [], "seed \(seed)\n\(life)")
            } catch {
                Issue.record("seed \(seed) ended with \(error)\n\(history.trace.joined(separator: "\n"))")
            }
        }
    }
}
