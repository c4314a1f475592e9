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

/// Real processes under load, and what can befall them: killed, stopped, cut off from each other. What must hold
/// afterwards is ``ChaosLaws``.
public struct Chaos {
    private let settings: ChaosSettings
    private let cluster: Cluster
    private let listener: WebhookListener
    private let receipts = Receipts()
    private let store: any PaymentStore
    private var random: SeededRandom
    private var report = ChaosReport()

    /// Starts everything, does harm for as many rounds as asked for, lets it recover, checks, and ends everything.
    ///
    /// - Throws: ``ChaosError`` and others when the run could not be made. What it found is in the report.
    public static func run(_ settings: ChaosSettings) async throws -> ChaosReport {
        let listener = try await WebhookListener()
        let cluster = try await Cluster.start(
            settings, notifyURL: "http://127.0.0.1:\(listener.port)/webhooks")
        do {
            var chaos = Chaos(
                settings: settings, cluster: cluster, listener: listener, store: try await cluster.openStore(),
                random: SeededRandom(seed: settings.seed))
            try await chaos.run()
            if !chaos.report.violations.isEmpty { settings.tell(cluster.logs()) }
            await cluster.remove()
            await listener.close()
            return chaos.report
        } catch {
            settings.tell(cluster.logs())
            await cluster.remove()
            await listener.close()
            throw error
        }
    }

    /// Kills whatever runs have started, for a program that is told to end.
    public static func abandon() { ProgramProcess.killAll() }

    private mutating func run() async throws {
        self.report.seed = self.settings.seed
        let shops = try self.makeShops()
        let seed = self.settings.seed
        let load = Task { [count = self.settings.shopsCount] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask {
                        try await shops.trade(number, random: SeededRandom(seed: seed &+ UInt64(number) &* 7919))
                    }
                }
                try await group.waitForAll()
            }
        }
        do {
            for round in 1...max(1, self.settings.roundsCount) {
                try await self.round(round)
            }
            try await self.recover()
            shops.closeUp()
            try await self.bounded(load)
            try await self.recover()
            if self.settings.awaitsWebhooks { try await self.awaitWebhooks() }
        } catch {
            load.cancel()
            throw error
        }
        await self.cluster.stop()
        try await self.check()
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
        if !open.isEmpty { self.settings.tell("no definite answer: \(open.joined(separator: ", "))") }
    }

    private func makeShops() throws -> Shops {
        let announcement = self.cluster.announcement
        let commWeb = try ShopMerchant("commweb", announcement: announcement)
        let languages: [any ShopLanguage] = [
            CommWebShop(merchant: commWeb, usesCard: false),
            PAYONEShop(merchant: try ShopMerchant("payone", announcement: announcement)),
            RadialShop(merchant: try ShopMerchant("radial", announcement: announcement)),
            CommWebShop(merchant: commWeb, usesCard: true),
        ]
        return Shops(languages, urls: self.cluster.urls, receipts: self.receipts)
    }

    // MARK: - Faults

    private mutating func round(_ number: Int) async throws {
        await Timer.pause(
            milliseconds: Int64.random(in: 50...max(50, self.settings.calmMilliseconds), using: &self.random))
        // Each kind once before any comes twice.
        let kinds = self.settings.faults
        guard let fault = number <= kinds.count ? kinds[number - 1] : kinds.randomElement(using: &self.random) else {
            return
        }
        self.settings.tell("round \(number): \(fault.rawValue)")
        self.report.faults[fault, default: 0] += 1
        try await self.inflict(fault)
        if number.isMultiple(of: self.settings.roundsPerRecovery) { try await self.recover() }
    }

    private mutating func inflict(_ fault: ChaosFault) async throws {
        guard let gateway = self.cluster.gateways.randomElement(using: &self.random) else { return }
        let milliseconds = Int64.random(in: 200...2000, using: &self.random)
        switch fault {
        case .killGateway:
            await gateway.process.end(SIGKILL)
            try await self.restart(gateway)
        case .killAcquirer:
            await self.cluster.acquirer.process.end(SIGKILL)
            await Timer.pause(milliseconds: milliseconds / 4)
            try await self.restart(self.cluster.acquirer)
        case .killDatabase:
            try await self.cluster.database?.kill()
            try await self.cluster.database?.start()
        case .freezeGateway:
            gateway.process.signal(SIGSTOP)
            let isLong = Int.random(in: 0..<4, using: &self.random) == 0
            await Timer.pause(milliseconds: isLong ? self.settings.freezeMilliseconds : milliseconds)
            gateway.process.signal(SIGCONT)
        case .acquirerWeather:
            self.cluster.acquirerProxy.set(
                ProxyWeather(cut: 60, hold: 60, holdMilliseconds: 3000, duplicate: 30, garbage: 30))
            await Timer.pause(milliseconds: milliseconds)
            self.cluster.acquirerProxy.set(.calm)
        case .databaseWeather:
            self.cluster.databaseProxy?.set(ProxyWeather(cut: 10, hold: 20, holdMilliseconds: 300))
            await Timer.pause(milliseconds: milliseconds)
            self.cluster.databaseProxy?.set(.calm)
        case .killAll:
            for gateway in self.cluster.gateways { await gateway.process.end(SIGKILL) }
            await self.cluster.acquirer.process.end(SIGKILL)
            if let database = self.cluster.database {
                try await database.kill()
                try await database.start()
            }
            try await self.restart(self.cluster.acquirer)
            for gateway in self.cluster.gateways { try await self.restart(gateway) }
        }
    }

    private func restart(_ gateway: Cluster.Gateway) async throws {
        try await Timer.retrying(milliseconds: 60_000) { try await gateway.start() }
    }

    // MARK: - Recovery

    /// Waits until nothing is left of what is open now, or until the bound.
    private mutating func recover() async throws {
        let operations = try await self.waitUntilEmpty { try Self.unresolved($0) }
        self.report.recoveriesCount += 1
        self.report.longestRecoveryMilliseconds = max(self.report.longestRecoveryMilliseconds, operations)
        self.settings.tell("all resolved after \(operations) ms")
    }

    private mutating func awaitWebhooks() async throws {
        self.report.tellingMilliseconds = try await self.waitUntilEmpty { try Self.untold($0) }
    }

    /// - Returns: how long it took, in milliseconds.
    private mutating func waitUntilEmpty(
        _ body: @escaping @Sendable (any StoreReader) throws -> Set<PaymentID>
    ) async throws -> Int64 {
        let start = Timer.nowMilliseconds
        let end = start + self.settings.recoveryBoundMilliseconds
        let store = self.store
        func current() async throws -> Set<PaymentID> {
            try await Timer.retrying(milliseconds: 60_000) { try await store.read(body) }
        }
        var open = try await current()
        var tellAt = start + 20_000
        while !open.isEmpty, Timer.nowMilliseconds < end {
            await Timer.pause(milliseconds: 100)
            open.formIntersection(try await current())
            if Timer.nowMilliseconds > tellAt {
                tellAt += 20_000
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
        self.settings.tell(
            "still open: \(id) (\(payment?.dialect.text ?? "")): \(open?.joined(separator: ", ") ?? ""); "
                + due.joined(separator: ", "))
    }

    /// Payments with an operation without an end.
    private static func unresolved(_ reader: any StoreReader) throws -> Set<PaymentID> {
        Set(try reader.jobs(.recover, limit: 100_000).map(\.paymentID))
    }

    /// Payments with something to be told that was not tried.
    private static func untold(_ reader: any StoreReader) throws -> Set<PaymentID> {
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
            store: self.store, book: book, receipts: self.receipts, webhooks: arrivals.messages,
            awaitsWebhooks: self.settings.awaitsWebhooks)
        try book.close()
        self.report.violations += findings.violations
        self.report.lostCount = findings.lostCount
        self.report.doubledCount = findings.doubledCount
        self.report.waitingWebhooksCount = findings.waitingWebhooksCount
        self.report.paymentsCount = findings.paymentsCount
        self.report.operationsCount = findings.operationsCount
        self.report.webhooksCount = arrivals.count
        self.report.repeatedWebhooksCount = arrivals.repeatsCount
        let receipts = self.receipts.all.values
        self.report.acknowledgedCount = receipts.count { $0.answer == .approved }
        self.report.refusalsCount = receipts.count { receipt in
            if case .notDone = receipt.answer { true } else { false }
        }
        self.report.repeatsCount = self.receipts.repeatsCount
        var reasons: [String: Int] = [:]
        for receipt in receipts {
            if case .notDone(let reason) = receipt.answer { reasons["\(receipt.kind): \(reason)", default: 0] += 1 }
        }
        for (reason, count) in reasons.sorted(by: { $0.key < $1.key }) { self.settings.tell("\(count) × \(reason)") }
        try await self.checkByCommand()
    }

    /// `pomona ledger check`, which is what an operator has.
    private mutating func checkByCommand() async throws {
        let log = self.cluster.dataPath + "/ledger-check.log"
        let check = try ProgramProcess("ledger check", program: self.settings.program, logPath: log)
        if try await !check.run(["ledger", "check", "--data", self.cluster.dataPath]) {
            self.report.violations.append("pomona ledger check finds the books unsound: \(check.log)")
        }
    }
}
