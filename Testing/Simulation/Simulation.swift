//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import Gateway
import Payments
import Synchronization

/// Histories of a few shops, nodes and payments, in which everything goes wrong that can, and the laws that hold all the
/// same.
///
/// A history is one thread's work and takes no time to wait: the scheduler chooses what is next by the seed, and time
/// moves when there is nothing else to do. The same seed is the same history, whatever the machine does meanwhile; but
/// for cryptography's random numbers, which nothing follows from.
public enum Simulation {
    /// Lives one history on the calling thread, which it keeps for some milliseconds.
    ///
    /// - Throws: what is wrong before it has begun: no book, no tokens.
    public static func run(
        seed: UInt64, settings: SimulationSettings = SimulationSettings()
    ) throws -> SimulationReport {
        let world = try World(seed: seed, settings: settings)
        if world.usesTokens { _ = try TokenPool.shared.get() }
        let counts = Mutex<(payments: Int, operations: Int)?>(nil)
        Task(executorPreference: world.outside) {
            await world.live()
            let payments = await world.store.allPayments()
            counts.withLock { $0 = (payments.count, payments.reduce(0) { $0 + $1.operations.count }) }
        }
        let end = world.scheduler.run(until: { counts.withLock { $0 != nil } }, stepsMax: settings.stepsMax)
        if end != .finished { world.record.violation("the history does not end: \(end)") }
        let found = counts.withLock { $0 }
        defer { world.close() }
        return SimulationReport(
            seed: seed, digest: world.record.digest, trace: world.record.trace, faults: world.record.faults,
            callsCount: world.record.callsCount, paymentsCount: found?.payments ?? 0,
            operationsCount: found?.operations ?? 0, deliveriesCount: world.webhooks.arrivalsCount,
            virtualMilliseconds: world.scheduler.milliseconds, stepsCount: world.scheduler.stepsCount,
            violations: world.record.violations)
    }
}

extension Simulation {
    /// Lives histories one after the other on a thread of their own.
    public static func run(
        seeds: [UInt64], settings: SimulationSettings = SimulationSettings()
    ) async throws -> [SimulationReport] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try seeds.map { try self.run(seed: $0, settings: settings) } })
            }
        }
    }
}

extension World {
    /// The whole history.
    fileprivate func live() async {
        let receipts = Receipts(record: self.record)
        guard await self.open() else { return }
        let tokens = self.usesTokens ? (try? TokenPool.shared.get())?.tokens ?? [] : []
        let wallet = Wallet(tokens: tokens)
        self.planInterruption()
        let shopsCount = self.draw { Int.random(in: self.settings.shops, using: &$0) }
        await withTaskGroup { group in
            for number in 1...max(1, shopsCount) {
                let shop = Shop(world: self, receipts: receipts, wallet: wallet, number: number)
                group.addTask { await shop.run() }
            }
            if self.takesBack { group.addTask { await self.takeBack() } }
            await group.waitForAll()
        }
        await self.calmDown()
        await self.workOff()
        await self.checkLastLaws(receipts)
        await self.repeatEverything(receipts, wallet)
        await self.workOff()
        await self.checkLastLaws(receipts)
    }

    /// Starts the nodes and gives the merchant his account, in calm weather.
    private func open() async -> Bool {
        let weather = self.state.withLock { state in
            defer { state.weather = .calm }
            return state.weather
        }
        for index in 0..<self.nodesCount { await self.boot(index) }
        guard let process = self.process(0), let gateway = process.gateway else { return false }
        do {
            let merchant = try await gateway.administration.createMerchant(
                name: "first", displayName: "The first shop", mode: .sandbox, countryCode: "CA")
            try await gateway.administration.ensureAcquirerAccount(
                of: merchant.id, connector: AcquirerName("simulator"))
            try await gateway.administration.putAccount(
                merchant: merchant.id, dialect: Self.dialect, key: Self.accountKey, settings: [:], secrets: [:])
            if self.usesTokens {
                let pool = try TokenPool.shared.get()
                _ = try await gateway.administration.importCredential(
                    merchant: merchant.id, certificate: pool.certificatePEM, privateKeyPEM: pool.privateKeyPEM,
                    activates: true)
            }
        } catch {
            self.record.violation("the merchant could not be made: \(error)")
            return false
        }
        self.note("weather \(weather), \(self.nodesCount) nodes, \(self.gatewaySettings)")
        self.state.withLock { $0.weather = weather }
        return true
    }

    /// Every call is made again. Those that were answered are answered the same, and all are answered for good.
    private func repeatEverything(_ receipts: Receipts, _ wallet: Wallet) async {
        let shop = Shop(world: self, receipts: receipts, wallet: wallet, number: 0)
        for receipt in receipts.all where receipt.request.isRepeatable {
            await shop.send(receipt.request)
        }
        for receipt in receipts.all where receipt.request.isRepeatable {
            if receipt.operationID != nil, receipt.ended == nil {
                await shop.send(receipt.request)
            }
        }
    }
}
