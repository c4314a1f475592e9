//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestPostgres
import TestRandom

/// One fault, from its beginning to its end.
struct Infliction: Sendable {
    let fault: ChaosFault
    let cluster: Cluster
    let settings: ChaosSettings
    let random: SeededRandom

    /// - Returns: how long gateways that were killed took to be ready again, in milliseconds.
    func run() async throws -> [Int64] {
        var random = self.random
        guard let gateway = self.cluster.gateways.randomElement(using: &random) else { return [] }
        let milliseconds = Int64.random(in: 100...1200, using: &random)
        switch self.fault {
        case .killGateway:
            await gateway.process.end(SIGKILL)
            return [try await self.restart(gateway)]
        case .killAcquirer:
            await self.cluster.acquirer.process.end(SIGKILL)
            await Timer.pause(milliseconds: milliseconds / 4)
            _ = try await self.restart(self.cluster.acquirer)
        case .killDatabase:
            try await self.cluster.database?.kill()
            try await self.cluster.database?.start(unlessRunning: false)
        case .stopDatabase:
            try await self.cluster.database?.stopImmediately()
            try await self.cluster.database?.start(unlessRunning: false)
        case .killAll: return try await self.killAll()
        case .freezeGateway: await self.freeze(gateway.process, milliseconds, &random)
        case .freezeAcquirer: await self.freeze(self.cluster.acquirer.process, milliseconds, &random)
        case .freezeDatabase:
            await self.cluster.database?.freeze()
            await Timer.pause(milliseconds: milliseconds)
            await self.cluster.database?.calm()
        case .acquirerWeather:
            await self.weather(
                self.cluster.acquirerProxy, ProxyWeather(cut: 60, hold: 60, holdMilliseconds: 3000, garbage: 30),
                milliseconds)
        case .acquirerDuplicates:
            await self.weather(self.cluster.acquirerProxy, ProxyWeather(duplicate: 300), milliseconds)
        case .databaseWeather:
            await self.weather(
                self.cluster.databaseProxy, ProxyWeather(cut: 10, hold: 20, holdMilliseconds: 300), milliseconds)
        case .diskFull: try await self.fillDisk(gateway, milliseconds, &random)
        case .clockStep:
            let seconds = Int64.random(in: 2...20, using: &random) * (Bool.random(using: &random) ? 1 : -1)
            let gateway = self.anyGateway(&random) ?? gateway
            try gateway.control?.setClock(offsetMilliseconds: seconds * 1000)
            await Timer.pause(milliseconds: milliseconds)
            try gateway.control?.setClock(offsetMilliseconds: 0)
        case .killService:
            guard let service = self.cluster.service else { return [] }
            await service.gateway.process.end(SIGKILL)
            return [try await self.restart(service.gateway)]
        case .freezeService:
            guard let service = self.cluster.service else { return [] }
            await self.freeze(service.gateway.process, milliseconds, &random)
        // Without garbage: what keeps an amount from being another on its way to a service is TLS.
        case .serviceWeather:
            await self.weather(
                self.cluster.service?.proxy, ProxyWeather(cut: 60, hold: 60, holdMilliseconds: 3000), milliseconds)
        case .noticesWeather:
            await self.weather(
                self.cluster.service?.noticesProxy, ProxyWeather(cut: 100, hold: 60, holdMilliseconds: 3000),
                milliseconds)
        case .killPrimary, .freezePrimary, .killStandby, .freezeStandby, .cutStandbys, .freezeEtcd, .switchOver:
            try await self.failOver(&random)
        case .killBalancer:
            try await self.cluster.front?.kill()
            await Timer.pause(milliseconds: milliseconds / 4)
            try await self.cluster.front?.start()
        }
        return []
    }

    /// What befalls the machines of a replicated database, until they are all well again. Half of what lasts lasts longer
    /// than patroni's ttl, so that another one takes over.
    private func failOver(_ random: inout SeededRandom) async throws {
        guard let database = self.cluster.replicated else { return }
        let milliseconds = Int64.random(
            in: Bool.random(using: &random) ? 1000...8000 : 21_000...30_000, using: &random)
        switch self.fault {
        case .killPrimary: try await database.killPrimary()
        case .freezePrimary: try await database.freezePrimary(milliseconds: milliseconds)
        case .killStandby: try await database.killStandby(milliseconds: milliseconds)
        case .freezeStandby: try await database.freezeStandby(milliseconds: milliseconds)
        case .cutStandbys: try await database.cutStandbys(milliseconds: milliseconds)
        case .freezeEtcd: try await database.freezeEtcd(milliseconds: milliseconds)
        case .switchOver: try await database.switchOver()
        default: break
        }
    }

    private func restart(_ gateway: Cluster.Gateway) async throws -> Int64 {
        try await self.cluster.withDatabase { try await gateway.start() }
    }

    /// Also the service.
    private func anyGateway(_ random: inout SeededRandom) -> Cluster.Gateway? {
        (self.cluster.gateways + [self.cluster.service?.gateway].compactMap { $0 }).randomElement(using: &random)
    }

    private func killAll() async throws -> [Int64] {
        for program in self.cluster.programs { await program.process.end(SIGKILL) }
        if let database = self.cluster.database {
            try await database.killAll()
            try await database.start(unlessRunning: false)
        }
        _ = try await self.restart(self.cluster.acquirer)
        var restarts: [Int64] = []
        for program in self.cluster.programs.dropLast() { restarts.append(try await self.restart(program)) }
        return restarts
    }

    /// At times for longer than a lease.
    private func freeze(_ process: ProgramProcess, _ milliseconds: Int64, _ random: inout SeededRandom) async {
        let isLong = Int.random(in: 0..<6, using: &random) == 0
        process.signal(SIGSTOP)
        await Timer.pause(milliseconds: isLong ? self.settings.freezeMilliseconds : milliseconds)
        process.signal(SIGCONT)
    }

    private func weather(_ proxy: Proxy?, _ weather: ProxyWeather, _ milliseconds: Int64) async {
        proxy?.set(weather)
        await Timer.pause(milliseconds: milliseconds)
        proxy?.set(.calm)
    }

    /// The disk is full in the middle of something, and then it is not.
    private func fillDisk(
        _ gateway: Cluster.Gateway, _ milliseconds: Int64, _ random: inout SeededRandom
    ) async throws {
        let gateway = self.anyGateway(&random) ?? gateway
        let isService = gateway.url == self.cluster.service?.gateway.url
        let control = isService ? gateway.control : self.cluster.databaseControl ?? gateway.control
        try control?.setBudget(Int64.random(in: 0...100_000, using: &random))
        await Timer.pause(milliseconds: milliseconds)
        try control?.setBudget(nil)
    }
}
