//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import Synchronization
import TestPostgres
import TestProcesses
import TestRandom
import TestShop

/// How many authorizations a second a deployment makes durable, beside how many commits a second its store's engine
/// makes alone: in turn, so that a machine whose speed drifts drifts for both.
public struct RateTrial: Sendable {
    public struct Report: Sendable {
        /// Authorizations a second, round by round.
        public var rates: [Int64] = []
        /// Commits of one row a second, round by round.
        public var floors: [Int64] = []

        /// In hundredths, round by round.
        private var ratios: [Int64] { zip(self.rates, self.floors).map { $0 * 100 / max(1, $1) } }

        public var line: String {
            let ratios = self.ratios.sorted().map { "\($0 / 100).\($0 % 100 < 10 ? "0" : "")\($0 % 100)" }
            return
                "\(Self.median(self.rates)) authorizations/s, \(Self.median(self.floors)) bare commits/s, "
                + "ratio \(ratios.isEmpty ? "-" : ratios[ratios.count / 2]) (\(ratios.first ?? "-")–\(ratios.last ?? "-"))"
        }

        private static func median(_ values: [Int64]) -> Int64 {
            values.isEmpty ? 0 : values.sorted()[values.count / 2]
        }
    }

    private let settings: ChaosSettings
    private let seconds: Int64
    private let roundsCount: Int

    /// - Parameters:
    ///   - settings: of these the program, the store, the nodes, the shops (who call at the same time) and the log.
    ///   - seconds: how long a round takes, and the floor's.
    public init(_ settings: ChaosSettings, seconds: Int64 = 5, roundsCount: Int = 5) {
        self.settings = settings
        self.seconds = seconds
        self.roundsCount = roundsCount
    }

    public func run() async throws -> Report {
        try await Cluster.measuring(self.settings) { cluster in
            var report = Report()
            let shop = try ShopLanguage(
                ServicePair(CommWebShop.self, over: nil),
                try ShopMerchant(CommWebShop.name, announcement: cluster.announcement), usesCard: true)
            for round in 0...self.roundsCount {
                let rate = try await self.rate(shop, cluster.urls, round)
                let floor = try await self.floor(cluster)
                self.settings.log("round \(round): \(rate) authorizations/s, \(floor) bare commits/s")
                // The first warms up.
                guard round > 0 else { continue }
                report.rates.append(rate)
                report.floors.append(floor)
            }
            return report
        }
    }

    private func rate(_ shop: ShopLanguage, _ urls: [String], _ round: Int) async throws -> Int64 {
        let end = Timer.nowMilliseconds + self.seconds * 1000
        let start = Timer.nowMilliseconds
        let count = try await withThrowingTaskGroup(of: Int64.self) { group in
            for caller in 0..<self.settings.shopsCount {
                group.addTask {
                    var count: Int64 = 0
                    while Timer.nowMilliseconds < end {
                        let charge = try shop.charge("r\(round)c\(caller)n\(count)", minorUnits: 1099)
                        let request = try shop.authorize(charge)
                        guard let answer = await Shops.send(request, to: urls[caller % urls.count]) else { continue }
                        guard answer.answer == .approved else {
                            throw ChaosError("An authorization is not approved: \(answer.answer)")
                        }
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return count * 1000 / max(1, Timer.nowMilliseconds - start)
    }

    /// Commits of one row, each made durable by itself: on SQLite one after the other, on PostgreSQL over eight
    /// connections, as many as a node has.
    private func floor(_ cluster: Cluster) async throws -> Int64 {
        if let database = cluster.database { return try await database.commitsPerSecond(seconds: Int(self.seconds)) }
        let path = cluster.folder + "/floor.sqlite"
        let milliseconds = self.seconds * 1000
        return try await onThread {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
                try database.execute(sql: "CREATE TABLE IF NOT EXISTS t (n INTEGER)")
            }
            let start = Timer.nowMilliseconds
            var count: Int64 = 0
            while Timer.nowMilliseconds - start < milliseconds {
                try queue.writeWithoutTransaction { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
                count += 1
            }
            try queue.close()
            return count * 1000 / max(1, Timer.nowMilliseconds - start)
        }
    }
}
