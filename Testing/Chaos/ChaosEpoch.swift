//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import SimulatorAcquirer
import Synchronization
import TestPostgres
import TestRandom
import TestShop

/// Processes that are started, put under load, harmed, left to recover, and checked.
struct ChaosEpoch {
    let settings: ChaosSettings
    let cluster: Cluster
    let listener: WebhookListener
    let receipts = Receipts()
    let store: any PaymentStore
    /// What the payment service behind the gateways has booked, if there is one.
    let serviceStore: (any PaymentStore)?
    let desk: OperatorDesk?
    var random: SeededRandom
    var report = ChaosReport()
    /// Faults that have not come yet; each comes once before any comes twice.
    private var fresh: [ChaosFault] = []

    private init(
        _ settings: ChaosSettings, _ cluster: Cluster, _ listener: WebhookListener
    ) async throws {
        self.settings = settings
        self.cluster = cluster
        self.listener = listener
        let store = try await cluster.openStore()
        let books = try cluster.service?.openStore()
        self.store = store
        self.serviceStore = books
        self.desk = try cluster.service.flatMap { service in
            try books.map { try OperatorDesk(cluster, service, program: settings.program, gateways: store, books: $0) }
        }
        self.random = SeededRandom(seed: settings.seed)
    }

    /// Starts everything, does harm as many times as asked for, lets it recover, checks, and ends everything.
    static func run(_ settings: ChaosSettings, _ shim: FaultShim?) async throws -> ChaosReport {
        let listener = try await WebhookListener()
        let cluster = try await Cluster.start(settings, shim, notifyURL: listener.url)
        do {
            var epoch = try await ChaosEpoch(settings, cluster, listener)
            try await epoch.run()
            let isKept = !epoch.report.violations.isEmpty
            if isKept { try epoch.leaveEvidence() }
            await cluster.close(epoch.store)
            if let books = epoch.serviceStore { await cluster.close(books) }
            await cluster.remove(isKept: isKept)
            await listener.close()
            return epoch.report
        } catch {
            settings.log(cluster.logs())
            await cluster.remove(isKept: true)
            await listener.close()
            settings.log("What the run has left lies in \(cluster.folder).")
            throw error
        }
    }

    private mutating func run() async throws {
        // What an acquirer never hears of and answers no queries about, somebody decides.
        let reports = self.settings.services.isEmpty && self.settings.behaviors.first == .reporting
        let bookDesk =
            reports ? BookDesk(cluster: self.cluster, program: self.settings.program, store: self.store) : nil
        let desk = Task { [desk = self.desk] in
            await desk?.work()
            await bookDesk?.work()
        }
        defer { desk.cancel() }
        let shops = try Shops.ofAllDialects(self.cluster, receipts: self.receipts, notifyURL: self.listener.url)
        self.listener.read(with: shops.clients)
        let load = Task { [settings = self.settings] in
            try await shops.trade(0..<settings.shopsCount, seed: settings.seed)
        }
        do {
            await self.untilTrading()
            var untilRecovery = self.settings.faultsPerRecovery
            while self.report.faultsCount < self.settings.faultsCount {
                let count = self.report.faultsCount
                try await self.round()
                untilRecovery -= self.report.faultsCount - count
                if untilRecovery <= 0 {
                    untilRecovery = self.settings.faultsPerRecovery
                    try await self.recover()
                }
            }
            try await self.cluster.calm()
            shops.closeUp()
            try await self.bounded(load)
            try await self.recover()
            try await self.awaitWebhooks()
            desk.cancel()
            await desk.value
        } catch {
            load.cancel()
            throw error
        }
        self.report.refusedWritesCount = self.cluster.refusedWritesCount
        await self.cluster.stop()
        try await self.check()
    }

    /// Harm is done to what works: on a busy machine the faults could be over before a shop has been answered at all, and
    /// the run would show nothing.
    private func untilTrading() async {
        let end = Timer.nowMilliseconds + self.settings.recoveryBoundMilliseconds
        while !self.receipts.all.values.contains(where: { $0.answer == .approved }), Timer.nowMilliseconds < end {
            await Timer.pause(milliseconds: 20)
        }
    }

    /// What is begun must come to an end once the faults are over.
    private func bounded(_ load: Task<Void, any Error>) async throws {
        let bound = Task { [milliseconds = self.settings.recoveryBoundMilliseconds] in
            await Timer.pause(milliseconds: milliseconds)
            load.cancel()
        }
        try await load.value
        bound.cancel()
        let open = self.receipts.all.values.filter { $0.answer == nil }.map(\.key)
        if !open.isEmpty { self.settings.log("no definite answer: \(open.joined(separator: ", "))") }
    }

    // MARK: - Rounds

    /// A fault, and at times another one of what surrounds the processes at the same time.
    private mutating func round() async throws {
        await Timer.pause(
            milliseconds: Int64.random(in: 20...max(20, self.settings.calmMilliseconds), using: &self.random))
        guard let fault = self.draw(from: self.settings.faults) else { return }
        var faults = [fault]
        let surrounding = self.settings.faults.filter(\.isSurrounding)
        if !fault.isSurrounding, self.report.faultsCount + 1 < self.settings.faultsCount,
            Int.random(in: 0..<3, using: &self.random) == 0, let other = self.draw(from: surrounding)
        {
            faults.append(other)
        }
        for fault in faults {
            self.report.faults[fault, default: 0] += 1
            self.report.underWayCount += self.receipts.openCount
        }
        let number = self.report.faultsCount
        self.settings.log("\(number): " + faults.map(\.title).joined(separator: "; "))
        let inflictions = faults.map { fault in
            Infliction(
                fault: fault, cluster: self.cluster, settings: self.settings,
                random: SeededRandom(seed: self.random.next()))
        }
        let beganAt = Timer.nowMilliseconds
        let restarts = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for infliction in inflictions { group.addTask { try await infliction.run() } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        self.report.restartMilliseconds += restarts
        try await self.restartTheDead()
        self.report.silences[fault, default: []].append(self.receipts.longestSilence(since: beganAt))
    }

    private mutating func draw(from faults: [ChaosFault]) -> ChaosFault? {
        if self.fresh.isEmpty { self.fresh = self.settings.faults.shuffled(using: &self.random) }
        if let index = self.fresh.firstIndex(where: faults.contains) { return self.fresh.remove(at: index) }
        return faults.randomElement(using: &self.random)
    }

    /// Nothing may die but by our hand.
    private mutating func restartTheDead() async throws {
        for gateway in self.cluster.programs where gateway.process.hasEndedByItself {
            self.report.violations.append(
                "\(gateway.process.name) has ended by itself, in round \(self.report.faultsCount)")
            try await self.cluster.withDatabase { _ = try await gateway.start() }
        }
        // A full disk ends a database's server, and so it may.
        if let database = self.cluster.database { try await database.start(unlessRunning: true) }
    }

    // MARK: - Recovery

    /// Waits until nothing is left of what is open now, or until the bound.
    private mutating func recover() async throws {
        try await self.cluster.calm()
        let milliseconds = try await self.waitUntilEmpty { try Self.unresolved($0) }
        self.report.recoveryMilliseconds.append(milliseconds)
        self.settings.log("all resolved after \(milliseconds) ms")
    }

    /// Waits until the merchants have been notified of everything. What waits for its schedule, because an attempt has
    /// failed, is sent by `pomona webhooks resend`, as an operator does it.
    private mutating func awaitWebhooks() async throws {
        var milliseconds = try await self.waitUntilEmpty { try Self.unsent($0) }
        let webhooks = WaitingWebhooks(store: self.store, dataPath: self.cluster.dataPath)
        let waiting = try await webhooks.ids()
        if !waiting.isEmpty {
            self.report.resentWebhooksCount += waiting.count
            var failures: [String] = []
            try await webhooks.resend(waiting) { failures += try await self.failure(of: $0) }
            self.report.violations += failures
            milliseconds += try await self.waitUntilEmpty { reader in
                Set(try reader.jobs(.deliver, limit: 100_000).map(\.paymentID))
            }
        }
        self.report.notifyingMilliseconds = milliseconds
        self.settings.log("all notified after \(milliseconds) ms, \(waiting.count) of them by resending")
    }

    /// - Returns: how long it took, in milliseconds.
    private mutating func waitUntilEmpty(
        _ body: @escaping @Sendable (any StoreReader) throws -> Set<PaymentID>
    ) async throws -> Int64 {
        let start = Timer.nowMilliseconds
        let end = start + self.settings.recoveryBoundMilliseconds
        let (store, cluster) = (self.store, self.cluster)
        func current() async throws -> Set<PaymentID> {
            try await cluster.withDatabase { try await store.read(body) }
        }
        var open = try await current()
        var logAt = start + 20_000
        while !open.isEmpty, Timer.nowMilliseconds < end {
            await Timer.pause(milliseconds: 50)
            open.formIntersection(try await current())
            if Timer.nowMilliseconds > logAt {
                logAt += 20_000
                for id in open.sorted(by: { $0.text < $1.text }).prefix(3) { try await self.describe(id) }
            }
        }
        if !open.isEmpty {
            let names = open.prefix(5).map(\.text)
            self.report.violations.append("\(open.count) payments are still open after the bound: \(names)")
        }
        return Timer.nowMilliseconds - start
    }

    /// Says why a payment is still open.
    private func describe(_ id: PaymentID) async throws {
        let (payment, jobs) = try await self.store.read { reader in
            (try reader.payment(id), try Job.Kind.allCases.compactMap { try reader.job($0, of: id) })
        }
        let open = payment?.operations.filter { !$0.state.isResolved }.map { operation in
            "\(operation.kind) \(operation.state) begun at \(operation.begunAt)"
        }
        let due = jobs.map { "\($0.kind) due at \($0.dueAt), taken \($0.attemptsCount) times" }
        self.settings.log(
            "still open: \(id) (\(payment?.dialect.text ?? "")): \(open?.joined(separator: ", ") ?? ""); "
                + due.joined(separator: ", "))
    }

    /// Payments with an operation without an end.
    private static func unresolved(_ reader: any StoreReader) throws -> Set<PaymentID> {
        Set(try reader.jobs(.recover, limit: 100_000).map(\.paymentID))
    }

    /// Payments with a notification that was not tried.
    private static func unsent(_ reader: any StoreReader) throws -> Set<PaymentID> {
        Set(
            try reader.jobs(.deliver, limit: 100_000).map(\.paymentID).filter { id in
                try reader.events(of: id).first { $0.state == .pending }?.attemptsCount == 0
            })
    }

    // MARK: - The end

    private mutating func check() async throws {
        let book = try SimulatorBook.open(path: self.cluster.bookPath)
        let arrivals = self.listener.arrivals.state.withLock { $0 }
        let findings = try await ChaosLaws.check(
            store: self.store, service: self.serviceStore, book: book, receipts: self.receipts,
            webhooks: arrivals.messages)
        self.report.violations += findings.violations
        if let service = self.serviceStore, let desk = self.desk {
            let found = try await ServiceBooks.compare(
                gateways: self.store, service: service, givenUp: desk.givenUp)
            self.report.violations += found.violations
            self.report.doubledCount += found.doubledCount
            self.report.add(desk, leftoversCount: found.leftoversCount)
        }
        self.report.lostCount = findings.lostCount
        self.report.doubledCount += findings.doubledCount
        self.report.paymentsCount = findings.paymentsCount
        self.report.operationsCount = findings.operationsCount
        self.report.webhooksCount = arrivals.count
        self.report.repeatedWebhooksCount = arrivals.repeatsCount
        let receipts = self.receipts.all.values
        self.report.acknowledgedCount = receipts.count { $0.answer == .approved }
        self.report.repeatsCount = self.receipts.repeatsCount
        var reasons: [String: Int] = [:]
        for receipt in receipts {
            if case .notDone(let reason) = receipt.answer {
                reasons["\(receipt.key.prefix { $0 != "/" }) \(receipt.kind): \(reason)", default: 0] += 1
            }
        }
        self.report.refusalsCount = reasons.values.reduce(0, +)
        for (reason, count) in reasons.sorted(by: { $0.key < $1.key }) { self.settings.log("\(count) × \(reason)") }
        // What an operator has.
        for dataPath in [self.cluster.dataPath, self.cluster.service?.dataPath].compactMap({ $0 }) {
            self.report.violations += try await self.failure(of: ["ledger", "check", "--data", dataPath])
        }
    }

    /// Runs `pomona` to its end.
    /// - Returns: the law that it breaks by failing.
    private func failure(of arguments: [String]) async throws -> [String] {
        let command = ProgramProcess(
            arguments.prefix(2).joined(separator: " "), program: self.settings.program,
            logPath: self.cluster.folder + "/commands.log")
        if try await command.run(arguments) { return [] }
        return ["pomona \(command.name) fails: \(command.log.suffix(500))"]
    }

    /// Writes down what was found and what the shops know, beside the data.
    private mutating func leaveEvidence() throws {
        let folder = self.cluster.folder
        self.report.evidencePath = folder
        self.settings.log(self.cluster.logs())
        let receipts = self.receipts.all.values.sorted { $0.key < $1.key }.map { receipt in
            "\(receipt.key) \(receipt.kind) \(receipt.minorUnits.map(String.init) ?? "all") "
                + (receipt.answer.map { "\($0)" } ?? "no answer")
        }
        let arrivals = self.listener.arrivals.state.withLock { $0.messages }.sorted { $0.key < $1.key }
            .map { "\($0): \($1.joined(separator: ", "))" }
        for (name, lines) in [
            ("violations.txt", self.report.violations), ("receipts.txt", receipts), ("webhooks.txt", arrivals),
            (
                "README",
                [
                    "Left by script/chaos --seed \(self.settings.seed) --store \(self.settings.store.rawValue)"
                        + (self.cluster.service.map { " --upstream \($0.name)." } ?? "."),
                    "violations.txt: what was found: laws broken, and where the acquirer's book is another than the gateway's.",
                    "receipts.txt: what the shops were answered. webhooks.txt: what has arrived, by payment, in order.",
                    "node1, node2: the gateways' data directories; nodeN.log: what they logged; acquirer: the acquirer's.",
                    "service.log, node1/upstream-NAME: the payment service behind the gateways, if there was one.",
                    "database.sql: the database as SQL, database.log: what its server logged (PostgreSQL only).",
                    "pomona payments list --data node1, pomona payments show ID --data node1,",
                    "pomona ledger check --data node1 read a SQLite store. A database is read back with psql -f database.sql.",
                ]
            ),
        ] {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
    }
}
