//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import Payments
import TestPostgres
import TestRandom

/// How long a gateway takes from its start to its ready line with many payments in the store, when it was killed under
/// load just before.
public struct RestartTrial: Sendable {
    /// What was measured, in milliseconds.
    public struct Report: Sendable {
        public var paymentsCount = 0
        public var storeBytes: Int64 = 0
        public var fillMilliseconds: Int64 = 0
        /// From the start of the killed gateway to its first line.
        public var readyMilliseconds: [Int64] = []
        /// The same before the store was filled.
        public var emptyMilliseconds: [Int64] = []
        /// The bare engine: the file opened, its log recovered and a row read; a connection made and a row read.
        public var engineMilliseconds: [Int64] = []
        /// What `pomona ledger check` took, if it was asked for; `nil` also if it has failed.
        public var checkMilliseconds: Int64?

        public var lines: [String] {
            [
                "payments: \(self.paymentsCount), store: \(self.storeBytes / 1_000_000) MB, "
                    + "filled in \(self.fillMilliseconds / 1000) s",
                "restart to ready, nearly empty store: \(Self.spread(self.emptyMilliseconds))",
                "restart to ready, full store: \(Self.spread(self.readyMilliseconds))",
                "bare engine opened, full store: \(Self.spread(self.engineMilliseconds))",
            ] + (self.checkMilliseconds.map { ["pomona ledger check: \($0) ms"] } ?? [])
        }

        private static func spread(_ values: [Int64]) -> String {
            let sorted = values.sorted()
            guard let first = sorted.first, let last = sorted.last else { return "-" }
            return "median \(sorted[sorted.count / 2]) ms (\(first)–\(last)), \(sorted.count) times"
        }
    }

    private let settings: ChaosSettings
    private let paymentsCount: Int
    private let roundsCount: Int
    private let checksLedger: Bool

    /// - Parameters:
    ///   - settings: of these the program, the store, the seed, the shops and the log.
    ///   - roundsCount: how often the gateway is killed and started.
    public init(_ settings: ChaosSettings, paymentsCount: Int, roundsCount: Int = 7, checksLedger: Bool = false) {
        self.settings = settings
        self.paymentsCount = paymentsCount
        self.roundsCount = roundsCount
        self.checksLedger = checksLedger
    }

    public func run() async throws -> Report {
        let listener = try await WebhookListener()
        let cluster = try await Cluster.start(self.settings, nil, notifyURL: listener.url)
        do {
            let report = try await self.measure(cluster, listener)
            await cluster.remove(isKept: false)
            await listener.close()
            return report
        } catch {
            self.settings.log(cluster.logs())
            await cluster.remove(isKept: false)
            await listener.close()
            throw error
        }
    }

    private func measure(_ cluster: Cluster, _ listener: WebhookListener) async throws -> Report {
        var report = Report()
        let gateway = cluster.gateways[0]
        for round in 0..<self.roundsCount {
            try await self.killUnderLoad(cluster, listener, round)
            report.emptyMilliseconds.append(try await gateway.start())
        }
        // Until what the load has left is settled and notified.
        let store = try await cluster.openStore()
        let templates = try await self.templates(store)
        await cluster.close(store)
        await gateway.process.end(SIGTERM)
        self.settings.log("filling the store from \(templates.count) payments")
        let start = Timer.nowMilliseconds
        try await self.fill(cluster, from: templates)
        report.fillMilliseconds = Timer.nowMilliseconds - start
        try await gateway.start()
        for round in 0..<self.roundsCount {
            try await self.killUnderLoad(cluster, listener, round + self.roundsCount)
            report.engineMilliseconds.append(try await self.openEngine(cluster))
            report.readyMilliseconds.append(try await gateway.start())
            self.settings.log("ready after \(report.readyMilliseconds.last ?? 0) ms")
        }
        (report.paymentsCount, report.storeBytes) = try await self.size(cluster)
        if self.checksLedger {
            let start = Timer.nowMilliseconds
            let check = ProgramProcess(
                "ledger check", program: self.settings.program, logPath: cluster.folder + "/commands.log")
            if try await check.run(["ledger", "check", "--data", cluster.dataPath]) {
                report.checkMilliseconds = Timer.nowMilliseconds - start
            } else {
                self.settings.log("pomona ledger check fails: \(check.log.suffix(500))")
            }
        }
        return report
    }

    /// Shops pay for a second, and then the gateway is gone.
    private func killUnderLoad(_ cluster: Cluster, _ listener: WebhookListener, _ round: Int) async throws {
        let receipts = Receipts()
        let shops = try Shops.ofAllDialects(cluster, receipts: receipts, notifyURL: listener.url)
        listener.read(with: shops.clients)
        let load = Task { [seed = self.settings.seed] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<self.settings.shopsCount {
                    group.addTask {
                        let name = round * self.settings.shopsCount + number
                        try await shops.trade(name, random: SeededRandom(seed: seed &+ UInt64(name)))
                    }
                }
                try await group.waitForAll()
            }
        }
        await Timer.pause(milliseconds: 1500)
        await cluster.gateways[0].process.end(SIGKILL)
        load.cancel()
        _ = await load.result
    }

    /// The ids of payments that are settled and notified, of each dialect some.
    private func templates(_ store: any PaymentStore) async throws -> [String] {
        try await Timer.retrying(milliseconds: 60_000) {
            let found = try await store.read { reader -> [String: [String]] in
                let open = Set(try reader.jobs(.recover, limit: .max).map(\.paymentID))
                    .union(try reader.jobs(.deliver, limit: .max).map(\.paymentID))
                    .union(try reader.jobs(.capture, limit: .max).map(\.paymentID))
                let payments = try reader.payments(PaymentQuery(order: .oldestFirst, limit: 2000))
                return Dictionary(grouping: payments.filter { !open.contains($0.id) }) { $0.dialect.text }
                    .mapValues { $0.prefix(8).map(\.id.text) }
            }
            guard found.count == 5 else { throw ChaosError("Not every dialect has payments yet.") }
            return found.values.flatMap(\.self).sorted()
        }
    }

    private func fill(_ cluster: Cluster, from templates: [String]) async throws {
        if let database = cluster.database {
            let engine = StoreFilling.Engine.postgresql(database, database: cluster.databaseName)
            try await StoreFilling(engine: engine).fill(from: templates, count: self.paymentsCount)
            try await database.execute("VACUUM ANALYZE", database: cluster.databaseName)
            try await database.execute("CHECKPOINT")
        } else {
            let queue = try DatabaseQueue(path: cluster.dataPath + "/pomona.sqlite")
            try await StoreFilling(engine: .sqlite(queue)).fill(from: templates, count: self.paymentsCount)
            try queue.close()
        }
    }

    /// What the engine alone takes with the store as the killed gateway has left it.
    private func openEngine(_ cluster: Cluster) async throws -> Int64 {
        let start = Timer.nowMilliseconds
        if let database = cluster.database {
            _ = try await database.execute("SELECT id FROM payments LIMIT 1", database: cluster.databaseName)
        } else {
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: cluster.dataPath + "/pomona.sqlite", configuration: configuration)
            _ = try await queue.read { try String.fetchOne($0, sql: "SELECT id FROM payments LIMIT 1") }
            try queue.close()
        }
        return Timer.nowMilliseconds - start
    }

    private func size(_ cluster: Cluster) async throws -> (Int, Int64) {
        let engine: StoreFilling.Engine
        let bytes: Int64
        if let database = cluster.database {
            engine = .postgresql(database, database: cluster.databaseName)
            bytes = Int64(try await engine.rows("SELECT pg_database_size(current_database())").first ?? "") ?? 0
        } else {
            let path = cluster.dataPath + "/pomona.sqlite"
            var configuration = Configuration()
            configuration.readonly = true
            engine = .sqlite(try DatabaseQueue(path: path, configuration: configuration))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            bytes = (attributes[.size] as? NSNumber)?.int64Value ?? 0
        }
        return (Int(try await engine.rows("SELECT count(*) || '' FROM payments").first ?? "") ?? 0, bytes)
    }
}
