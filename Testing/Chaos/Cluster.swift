//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import PostgreSQLStore
import Redaction
import SQLiteStore
import StrictJSON
import TestPostgres

/// The processes of a deployment: gateways, the acquirer, on PostgreSQL the database's server, perhaps a payment service
/// between gateways and acquirer; and what connects them.
///
/// `pomona sandbox` makes the merchants; then as many `pomona serve` as there are nodes take over.
final class Cluster: Sendable {
    let gateways: [Gateway]
    let acquirer: Gateway
    let acquirerProxy: Proxy
    let databaseProxy: Proxy?
    let database: (any SharedDatabase)?
    /// The balancer before the gateways, where the database is replicated.
    let front: Balancer?
    /// Where shops find the gateways.
    let urls: [String]
    /// What the acquirer serves, if it is not the gateways themselves.
    let service: ServiceGateway?
    /// What the sandbox has announced.
    let announcement: JSON
    /// Of the database's server.
    let databaseControl: FaultControl?
    let folder: String
    let databaseName: String

    /// A program with what it is started with again.
    struct Gateway: Sendable {
        let process: ProgramProcess
        let arguments: [String]
        let url: String
        var control: FaultControl?

        /// - Returns: how long it took until it was ready, in milliseconds.
        @discardableResult
        func start() async throws -> Int64 {
            let start = Timer.nowMilliseconds
            _ = try await self.process.start(self.arguments)
            return Timer.nowMilliseconds - start
        }
    }

    /// How a run's programs are started.
    struct Setup {
        let settings: ChaosSettings
        let folder: String
        let shim: FaultShim?
        let isMeasured: Bool

        /// Short where faults come, so that what a dead node had taken is soon another's.
        var waits: (deadline: JSON, recovery: JSON, webhooks: JSON) {
            if self.isMeasured { return (20, [:], ["allowPrivateTargets": true]) }
            return (
                2, ["graceSeconds": 3, "leaseSeconds": 3],
                ["allowPrivateTargets": true, "timeoutSeconds": 2, "leaseSeconds": 3]
            )
        }
    }

    var replicated: ReplicatedDatabase? { self.database as? ReplicatedDatabase }
    var bookPath: String { self.folder + "/acquirer/acquirer.sqlite" }
    /// The data directory of the first node.
    var dataPath: String { self.folder + "/node1" }

    private init(
        folder: String, gateways: [Gateway], acquirer: Gateway, acquirerProxy: Proxy,
        database: StartedDatabase?, front: (balancer: Balancer, url: String)?, service: ServiceGateway?,
        announcement: JSON
    ) {
        self.folder = folder
        self.gateways = gateways
        self.acquirer = acquirer
        self.acquirerProxy = acquirerProxy
        self.databaseProxy = database?.proxy
        self.database = database?.database
        self.databaseControl = database?.control
        self.databaseName = database?.name ?? ""
        self.front = front?.balancer
        self.urls = front.map { [$0.url] } ?? gateways.map(\.url)
        self.service = service
        self.announcement = announcement
    }

    /// - Parameters:
    ///   - notifyURL: where merchants are notified whose dialect has no address in its requests; `nil` notifies nobody.
    ///   - isMeasured: whether the database syncs its commits, and the gateways wait as long as they do without being
    ///     answered. Else a killed server still loses nothing, for the operating system lives on, and waits are short.
    static func start(
        _ settings: ChaosSettings, _ shim: FaultShim?, notifyURL: String?, isMeasured: Bool = false
    ) async throws -> Cluster {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pomona-chaos-\(UUID())").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let setup = Setup(settings: settings, folder: folder, shim: shim, isMeasured: isMeasured)
        let acquirer = try await self.startAcquirer(setup)
        let acquirerProxy = try await Proxy(
            to: self.port(of: acquirer.url), carrying: .messages, seed: settings.seed ^ 0xACE1)
        let database = try await self.startDatabase(setup)
        let stores = database?.urls ?? ["sqlite:\(folder)/node1/pomona.sqlite"]
        let link = AcquirerAddress(port: acquirerProxy.port, secretPath: "\(folder)/acquirer/acquirer.secret")
        let options = ["--store", stores[0]] + (notifyURL.map { ["--notify-url", $0] } ?? [])
        var announcement: JSON
        var service: ServiceGateway?
        var gateways: [Gateway] = []
        if let name = settings.services.first {
            let addresses = try await ServiceGateway.Addresses.reserve(seed: settings.seed)
            announcement = try await self.makeMerchants(
                setup, ["--port", String(addresses.noticesPort)] + options + addresses.options(name))
            for number in 1...settings.nodesCount {
                gateways.append(try await self.startNode(number, setup, store: stores[number - 1], acquirer: nil))
            }
            service = try await self.startService(name, addresses, setup, link, gateways: gateways)
        } else {
            announcement = try await self.makeMerchants(setup, ["--port", "0"] + options + link.options)
            try await self.setBehavior(setup)
            for number in 1...settings.nodesCount {
                gateways.append(try await self.startNode(number, setup, store: stores[number - 1], acquirer: link))
            }
        }
        let replicated = database?.database as? ReplicatedDatabase
        return Cluster(
            folder: folder, gateways: gateways, acquirer: acquirer, acquirerProxy: acquirerProxy, database: database,
            front: try await replicated?.makeFront(to: gateways.map { self.port(of: $0.url) }), service: service,
            announcement: announcement)
    }

    /// Starts a deployment that is measured, and removes it afterwards; if that fails, the ends of its logs are logged.
    static func measuring<Value>(
        _ settings: ChaosSettings, notifyURL: String? = nil, _ body: (Cluster) async throws -> Value
    ) async throws -> Value {
        let cluster = try await self.start(settings, nil, notifyURL: notifyURL, isMeasured: true)
        do {
            let value = try await body(cluster)
            await cluster.remove(isKept: false)
            return value
        } catch {
            settings.log(cluster.logs())
            await cluster.remove(isKept: false)
            throw error
        }
    }

    /// The database that the gateways share, and how each of them finds it.
    private struct StartedDatabase {
        let database: any SharedDatabase
        let name: String
        let urls: [String]
        var proxy: Proxy?
        var control: FaultControl?
    }

    private static func startDatabase(_ setup: Setup) async throws -> StartedDatabase? {
        let settings = setup.settings
        switch settings.store {
        case .sqlite: return nil
        case .postgresql:
            let control = try setup.shim?.makeControl("database")
            let server = try await PostgresServer.start(
                fsync: setup.isMeasured, environment: control.flatMap { setup.shim?.environment($0) } ?? [])
            let name = try await server.makeDatabase()
            let proxy = try await Proxy(to: Int(server.port), carrying: .bytes, seed: settings.seed ^ 0xDB)
            let url = "postgresql://postgres@127.0.0.1:\(proxy.port)/\(name)"
            return StartedDatabase(
                database: server, name: name, urls: Array(repeating: url, count: settings.nodesCount), proxy: proxy,
                control: control)
        case .replicated:
            let database = try await ReplicatedDatabase.start(
                source: settings.failoverSource, nodesCount: settings.nodesCount, seed: settings.seed)
            return StartedDatabase(
                database: database, name: ReplicatedDatabase.databaseName,
                urls: (1...settings.nodesCount).map(database.url(ofNode:)))
        }
    }

    /// Where the simulated acquirer is.
    private struct AcquirerAddress {
        let port: Int
        let secretPath: String

        private var url: String { "tcp://127.0.0.1:\(self.port)" }

        var options: [String] { ["--acquirer", self.url, "--acquirer-secret", self.secretPath] }

        func configuration(_ deadline: JSON) -> JSON {
            ["address": .string(self.url), "secretFile": .string(self.secretPath), "deadlineSeconds": deadline]
        }
    }

    private static func port(of url: String) -> Int {
        url.split(separator: ":").last.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    private static func startAcquirer(_ setup: Setup) async throws -> Gateway {
        let folder = setup.folder
        let process = ProgramProcess(
            "acquirer", program: setup.settings.program, logPath: folder + "/acquirer.log")
        let arguments = ["acquirer", "--json", "--data", folder + "/acquirer", "--port"]
        let line = try await process.start(arguments + ["0"])
        guard let url = try JSON.parse(line)["acquirer"]?.string else {
            throw ChaosError("The acquirer announces no address: \(line)")
        }
        return Gateway(process: process, arguments: arguments + [String(self.port(of: url))], url: url)
    }

    /// - Returns: what the sandbox announces.
    private static func makeMerchants(_ setup: Setup, _ options: [String]) async throws -> JSON {
        let folder = setup.folder
        let process = ProgramProcess("sandbox", program: setup.settings.program, logPath: folder + "/sandbox.log")
        let line = try await process.start(
            ["sandbox", "--json", "--no-shop", "--data", folder + "/node1", "--tls-port", "0"] + options)
        await process.end(SIGTERM)
        return try JSON.parse(line)
    }

    /// Sets every merchant's account with the simulated acquirer.
    private static func setBehavior(_ setup: Setup) async throws {
        guard let settings = setup.settings.behaviors.first?.settings, !settings.isEmpty else { return }
        let place = ["--data", setup.folder + "/node1"]
        func command(_ name: String) -> ProgramProcess {
            ProgramProcess(name, program: setup.settings.program, logPath: setup.folder + "/settings.log")
        }
        let list = try await command("acquirer list").output(["acquirer", "list", "--json"] + place)
        for account in try JSON.parse(list)["acquirers"]?.array ?? [] where account["connector"] == "simulator" {
            guard let merchant = account["merchant"]?.string, let name = account["name"]?.string,
                try await command("acquirer settings").run(
                    ["acquirer", "settings", "--merchant", merchant, "--name", name] + place + settings)
            else { throw ChaosError("The acquirer's behaviour cannot be set.") }
        }
    }

    private static func startNode(
        _ number: Int, _ setup: Setup, store: String, acquirer: AcquirerAddress?
    ) async throws -> Gateway {
        let folder = setup.folder
        let data = "\(folder)/node\(number)"
        if number > 1 {
            try FileManager.default.createDirectory(
                atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for name in ["master.key", "authority"] {
                try FileManager.default.copyItem(atPath: "\(folder)/node1/\(name)", toPath: "\(data)/\(name)")
            }
        }
        return try await self.startGateway("node\(number)", setup, data: data, store: store, acquirer: acquirer)
    }

    private static func startService(
        _ name: String, _ addresses: ServiceGateway.Addresses, _ setup: Setup, _ acquirer: AcquirerAddress,
        gateways: [Gateway]
    ) async throws -> ServiceGateway {
        let data = ServiceGateway.dataPath(name, in: setup.folder)
        let gateway = try await self.startGateway(
            "service", setup, data: data, store: "sqlite:\(data)/pomona.sqlite", acquirer: acquirer,
            port: addresses.port)
        return ServiceGateway(
            name: name, gateway: gateway, proxy: addresses.proxy,
            noticesProxy: try await Proxy(
                to: gateways.map { self.port(of: $0.url) }, at: addresses.noticesPort, carrying: .bytes,
                seed: setup.settings.seed ^ 0x071CE),
            dataPath: data)
    }

    /// `pomona serve`.
    private static func startGateway(
        _ name: String, _ setup: Setup, data: String, store: String, acquirer: AcquirerAddress?, port: Int = 0
    ) async throws -> Gateway {
        let waits = setup.waits
        let configuration: JSON = [
            "data": ["directory": .string(data)],
            "store": ["url": .string(store)],
            "http": ["enabled": true, "host": "127.0.0.1", "port": .number(String(port))],
            "log": ["level": "warning"],
            // All customers' devices are at one address.
            "limits": ["deviceCallsPerSecond": 0],
            "acquirer": acquirer?.configuration(waits.deadline) ?? ["deadlineSeconds": waits.deadline],
            "recovery": waits.recovery, "webhooks": waits.webhooks,
        ]
        let path = "\(setup.folder)/\(name).json"
        try Data(configuration.serialized()).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let control = try setup.shim?.makeControl(name)
        let process = ProgramProcess(
            name, program: setup.settings.program, logPath: "\(setup.folder)/\(name).log",
            environment: control.flatMap { setup.shim?.environment($0) } ?? [])
        let line = try await process.start(["serve", "--config", path])
        let port = self.port(of: line)
        guard port > 0 else { throw ChaosError("\(name) announces no address: \(line)") }
        return Gateway(
            process: process, arguments: ["serve", "--config", path, "--port", String(port)],
            url: "http://127.0.0.1:\(port)", control: control)
    }

    /// Reads beside the gateways, past the proxies.
    func openStore() async throws -> any PaymentStore {
        guard let database else { return try SQLiteStore.openReadOnly(path: self.dataPath + "/pomona.sqlite") }
        return try await PostgreSQLStore.openReadOnly(url: Redacted(database.url(database: self.databaseName)))
    }

    func close(_ store: any PaymentStore) async {
        try? await (store as? SQLiteStore)?.close()
        await (store as? PostgreSQLStore)?.close()
    }

    /// Tries for a minute, and sees to it that the database is there: one that found no room ends, and it may still have
    /// been ending when somebody last looked.
    func withDatabase<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await Timer.retrying(milliseconds: 60_000) {
            try await self.database?.start(unlessRunning: true)
            return try await body()
        }
    }

    /// All programs but the database's, those before others that ask them.
    var programs: [Gateway] { self.gateways + [self.service?.gateway].compactMap { $0 } + [self.acquirer] }

    /// In good order, the gateways first.
    func stop() async {
        for gateway in self.programs { await gateway.process.end(SIGTERM) }
    }

    /// Everything that runs is let run, with all that it needs.
    func calm() async throws {
        self.acquirerProxy.set(.calm)
        self.databaseProxy?.set(.calm)
        self.service?.proxy.set(.calm)
        self.service?.noticesProxy.set(.calm)
        await self.database?.calm()
        for gateway in self.programs { gateway.process.signal(SIGCONT) }
        for control in self.programs.map(\.control) + [self.databaseControl] {
            try control?.setBudget(nil)
            try control?.setClock(offsetMilliseconds: 0)
        }
    }

    /// Writes that found the disk full.
    var refusedWritesCount: Int64 {
        (self.programs.map(\.control) + [self.databaseControl]).map { $0?.refusalsCount ?? 0 }.reduce(0, +)
    }

    /// Whatever still runs ends.
    /// - Parameter isKept: whether the files stay; else nothing is left on the disk.
    func remove(isKept: Bool) async {
        if isKept, let database = self.database {
            try? await database.start(unlessRunning: true)
            let sql = try? await database.dump(database: self.databaseName)
            try? Data((sql ?? "").utf8).write(to: URL(fileURLWithPath: self.folder + "/database.sql"))
            try? Data(database.log.utf8).write(to: URL(fileURLWithPath: self.folder + "/database.log"))
        }
        for gateway in self.programs { await gateway.process.end(SIGKILL) }
        for proxy in [self.acquirerProxy, self.databaseProxy, self.service?.proxy, self.service?.noticesProxy] {
            await proxy?.close()
        }
        try? await self.front?.stop()
        try? await self.database?.stop()
        if !isKept { try? FileManager.default.removeItem(atPath: self.folder) }
    }

    /// The ends of all logs, for a run that has found something.
    func logs() -> String {
        self.programs.map { gateway in
            let lines = gateway.process.log.split(separator: "\n").suffix(15)
            return "\(gateway.process.name):\n" + lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
