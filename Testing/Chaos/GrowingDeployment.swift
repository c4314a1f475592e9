//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Foundation
import GRDB
import Payments
import Synchronization
import TestPostgres
import TestProcesses
import TestShop

/// A gateway whose store is filled, with all that ``GrowthTrial`` measures of it.
final class GrowingDeployment: Sendable {
    let cluster: Cluster
    private let settings: ChaosSettings
    private let languages: [ShopLanguage]
    private let state = Mutex(State())

    private struct State {
        var templates: [String] = []
        var copiesCount = 0
        var filledMilliseconds: Int64 = 0
        var roundsCount = 0
        /// The name that a shop has given a payment.
        var reference = ""
    }

    private init(_ settings: ChaosSettings, _ cluster: Cluster, _ listener: WebhookListener) throws {
        (self.settings, self.cluster) = (settings, cluster)
        self.languages = try ShopDialects.all.map { dialect in
            try ShopLanguage(
                ServicePair(dialect, over: nil),
                try ShopMerchant(dialect.name, announcement: cluster.announcement), notifyURL: listener.url)
        }
        listener.read(
            with: Dictionary(
                self.languages.map { ($0.dialect.name, $0.client) }, uniquingKeysWith: { first, _ in first }))
    }

    /// Starts one, and removes it afterwards.
    static func measuring<Value>(
        _ settings: ChaosSettings, _ body: (GrowingDeployment) async throws -> Value
    ) async throws -> Value {
        let listener = try await WebhookListener()
        return try await Cluster.measuring(settings, notifyURL: listener.url) { cluster in
            let value = try await body(try GrowingDeployment(settings, cluster, listener))
            await listener.close()
            return value
        }
    }

    var filledMilliseconds: Int64 { self.state.withLock { $0.filledMilliseconds } }

    // MARK: - Filling

    /// Adds copies of payments of all dialects until there are so many.
    func fill(_ count: Int) async throws {
        if self.state.withLock({ $0.templates.isEmpty }) {
            _ = try await self.trade(ordersCount: 20)
            let templates = try await self.templates()
            self.state.withLock { $0.templates = templates }
        }
        let gateway = self.cluster.gateways[0]
        await gateway.process.end(SIGTERM)
        let start = Timer.nowMilliseconds
        if let database = self.cluster.database {
            try await self.fill(.postgresql(database, database: self.cluster.databaseName), count)
            try await database.execute("VACUUM ANALYZE", database: self.cluster.databaseName)
            try await database.execute("CHECKPOINT")
        } else {
            let queue = try DatabaseQueue(path: self.cluster.dataPath + "/pomona.sqlite")
            try await self.fill(.sqlite(queue), count)
            try queue.close()
        }
        self.state.withLock { $0.filledMilliseconds += Timer.nowMilliseconds - start }
        try await gateway.start()
    }

    private func fill(_ engine: StoreFilling.Engine, _ count: Int) async throws {
        let (templates, existing) = self.state.withLock { ($0.templates, $0.copiesCount) }
        let filling = try await StoreFilling(
            engine, templates: templates,
            spacingMilliseconds: 86_400_000 * Int64(templates.count) / Int64(GrowthTrial.dayCount))
        let copies = (count + templates.count - 1) / max(1, templates.count)
        guard copies > existing else { return }
        try await filling.fill(existing + 1...copies) { made in
            self.settings.log("filled: \((existing + made) * templates.count) of \(count) payments")
        }
        self.state.withLock { $0.copiesCount = copies }
    }

    /// The ids of payments that are settled and notified, of each dialect as many.
    private func templates() async throws -> [String] {
        let store = try await self.cluster.openStore()
        let templates = try await Timer.retrying(milliseconds: 60_000) {
            let found = try await store.read { reader -> [String: [String]] in
                let open = Set(try reader.jobs(.recover, limit: .max).map(\.paymentID))
                    .union(try reader.jobs(.deliver, limit: .max).map(\.paymentID))
                    .union(try reader.jobs(.capture, limit: .max).map(\.paymentID))
                let payments = try reader.payments(PaymentQuery(order: .oldestFirst, limit: 2000))
                return Dictionary(grouping: payments.filter { !open.contains($0.id) }) { $0.dialect.text }
                    .mapValues { $0.prefix(8).map(\.id.text) }
            }
            guard found.count == ShopDialects.all.count, found.values.allSatisfy({ $0.count == 8 }) else {
                throw ChaosError("Not every dialect has payments yet.")
            }
            return found.values.flatMap(\.self).sorted()
        }
        await self.cluster.close(store)
        return templates
    }

    func size() async throws -> GrowthReport.Size {
        let count = "SELECT count(*) || '' FROM payments"
        if let database = self.cluster.database {
            let engine = StoreFilling.Engine.postgresql(database, database: self.cluster.databaseName)
            let bytes = try await engine.rows("SELECT pg_database_size(current_database())").first.flatMap(Int64.init)
            return .init(paymentsCount: Int(try await engine.rows(count).first ?? "") ?? 0, bytes: bytes ?? 0)
        }
        let path = self.cluster.dataPath + "/pomona.sqlite"
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        let rows = try await StoreFilling.Engine.sqlite(queue).rows(count)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return .init(
            paymentsCount: rows.first.flatMap { Int($0) } ?? 0, bytes: (attributes[.size] as? NSNumber)?.int64Value ?? 0
        )
    }

    // MARK: - Measuring

    func round(ordersCount: Int) async throws -> [GrowthReport.Measure: Int64] {
        var times = try await self.trade(ordersCount: ordersCount)
        let reference = self.state.withLock { $0.reference }
        for (measure, arguments) in [
            (.search, ["payments", "show", reference]), (.list, ["payments", "list"]),
            (.merchantList, ["payments", "list", "--merchant", "commweb"]),
            (.stateList, ["payments", "list", "--state", "authorizationUnknown"]),
            (.dayReport, ["report", "transactions", "--all", "--from", self.yesterday, "--through", self.yesterday]),
        ] as [(GrowthReport.Measure, [String])] {
            let start = Timer.nowMicroseconds
            guard try await self.command().run(arguments + ["--data", self.cluster.dataPath]) else {
                throw ChaosError("pomona \(arguments.joined(separator: " ")) fails")
            }
            times[measure] = Timer.nowMicroseconds - start
        }
        times[.restart] = try await self.restart()
        return times
    }

    private func command() -> ProgramProcess {
        ProgramProcess(
            "command", program: self.settings.program, logPath: self.cluster.folder + "/commands.log")
    }

    private var yesterday: String {
        String(Date(timeIntervalSinceNow: -86_400).ISO8601Format().prefix(10))
    }

    /// Orders of all dialects are paid, captured, refunded and asked for, one kind of call after the other.
    /// - Returns: microseconds for a call of each kind, with all shops calling at the same time.
    private func trade(ordersCount: Int) async throws -> [GrowthReport.Measure: Int64] {
        let round = self.state.withLock { state in
            state.roundsCount += 1
            return state.roundsCount
        }
        var orders: [GrowthOrder] = []
        for number in 0..<ordersCount {
            for language in self.languages {
                orders.append(try GrowthOrder("g\(round)n\(number)\(language.dialect.name)", language))
            }
        }
        orders = try await self.pass(orders, .preparation).orders
        var times: [GrowthReport.Measure: Int64] = [:]
        for (measure, step) in [
            (.authorization, .authorization), (.capture, .capture), (.refund, .refund), (.inquiry, .inquiry),
        ] as [(GrowthReport.Measure, GrowthOrder.Step)] {
            let passed = try await self.pass(orders, step)
            orders = passed.orders
            times[measure] = passed.microseconds
        }
        if let reference = orders.first(where: { $0.language.dialect.name == "commweb" })?.name {
            self.state.withLock { $0.reference = reference }
        }
        return times
    }

    private func pass(
        _ orders: [GrowthOrder], _ step: GrowthOrder.Step
    ) async throws -> (orders: [GrowthOrder], microseconds: Int64) {
        let url = self.cluster.urls[0]
        let callersCount = self.settings.shopsCount
        // Requests are made before the clock runs.
        let calls = try orders.map { try $0.call(step) }
        let start = Timer.nowMicroseconds
        let answered = try await withThrowingTaskGroup(of: [(Int, GrowthOrder)].self) { group in
            for caller in 0..<callersCount {
                group.addTask {
                    var answered: [(Int, GrowthOrder)] = []
                    for index in stride(from: caller, to: orders.count, by: callersCount) {
                        guard let call = calls[index] else { continue }
                        guard let answer = await Shops.send(call, to: url), answer.answer == .approved else {
                            throw ChaosError("\(call.key) is not answered, or not approved.")
                        }
                        answered.append((index, orders[index].with(answer)))
                    }
                    return answered
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let microseconds = (Timer.nowMicroseconds - start) / Int64(max(1, answered.count))
        var orders = orders
        for (index, order) in answered { orders[index] = order }
        return (orders, microseconds)
    }

    /// Shops pay until the gateway is killed.
    /// - Returns: microseconds until it is ready again.
    private func restart() async throws -> Int64 {
        let round = self.state.withLock { $0.roundsCount }
        let shops = Shops(self.languages, urls: self.cluster.urls, receipts: Receipts())
        let load = Task { [settings] in
            try await shops.trade(1000 * round..<1000 * round + settings.shopsCount, seed: settings.seed)
        }
        let gateway = self.cluster.gateways[0]
        await Timer.pause(milliseconds: 1500)
        await gateway.process.end(SIGKILL)
        load.cancel()
        _ = await load.result
        return try await gateway.start() * 1000
    }

    func ledgerCheck() async throws -> GrowthReport.Check {
        let start = Timer.nowMilliseconds
        let arguments = ["ledger", "check", "--data", self.cluster.dataPath]
        let command = self.command()
        guard let peak = try await command.peakMemory(arguments) else {
            throw ChaosError("pomona ledger check fails:\n\(command.log.suffix(2000))")
        }
        return .init(milliseconds: Timer.nowMilliseconds - start, kilobytes: peak)
    }
}
