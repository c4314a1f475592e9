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

/// The processes of a deployment: gateways, the acquirer, on PostgreSQL the database's server; and what connects them.
///
/// `pomona sandbox` makes the merchants; then as many `pomona serve` as there are nodes take over.
final class Cluster: Sendable {
    let gateways: [Gateway]
    let acquirer: Gateway
    let acquirerProxy: Proxy
    let databaseProxy: Proxy?
    let database: PostgresServer?
    /// What the sandbox has announced.
    let announcement: JSON
    private let folder: String
    private let databaseName: String

    /// A program with what it is started with again.
    struct Gateway: Sendable {
        let process: ProgramProcess
        let arguments: [String]
        let url: String

        func start() async throws { _ = try await self.process.start(self.arguments) }
    }

    var urls: [String] { self.gateways.map(\.url) }
    var bookPath: String { self.folder + "/acquirer/acquirer.sqlite" }
    /// The data directory of the first node.
    var dataPath: String { self.folder + "/node1" }

    private init(
        folder: String, gateways: [Gateway], acquirer: Gateway, acquirerProxy: Proxy, databaseProxy: Proxy?,
        database: PostgresServer?, databaseName: String, announcement: JSON
    ) {
        self.folder = folder
        self.gateways = gateways
        self.acquirer = acquirer
        self.acquirerProxy = acquirerProxy
        self.databaseProxy = databaseProxy
        self.database = database
        self.databaseName = databaseName
        self.announcement = announcement
    }

    static func start(_ settings: ChaosSettings, notifyURL: String) async throws -> Cluster {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pomona-chaos-\(UUID())").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let acquirer = try await self.startAcquirer(settings, folder)
        let acquirerProxy = try await Proxy(to: self.port(of: acquirer.url), seed: settings.seed ^ 0xACE1)
        var store = "sqlite:\(folder)/node1/pomona.sqlite"
        var database: PostgresServer?
        var databaseProxy: Proxy?
        var databaseName = ""
        if settings.store == .postgresql {
            let server = try await PostgresServer.start()
            databaseName = try await server.makeDatabase()
            let proxy = try await Proxy(to: Int(server.port), seed: settings.seed ^ 0xDB)
            store = "postgresql://postgres@127.0.0.1:\(proxy.port)/\(databaseName)"
            (database, databaseProxy) = (server, proxy)
        }
        let link = [
            "--acquirer", "tcp://127.0.0.1:\(acquirerProxy.port)",
            "--acquirer-secret", "\(folder)/acquirer/acquirer.secret",
        ]
        let announcement = try await self.makeMerchants(
            settings, folder, ["--store", store, "--notify-url", notifyURL] + link)
        var gateways: [Gateway] = []
        for number in 1...settings.nodesCount {
            gateways.append(
                try await self.startNode(number, settings, folder, store: store, acquirerPort: acquirerProxy.port))
        }
        return Cluster(
            folder: folder, gateways: gateways, acquirer: acquirer, acquirerProxy: acquirerProxy,
            databaseProxy: databaseProxy, database: database, databaseName: databaseName, announcement: announcement)
    }

    private static func port(of url: String) -> Int {
        url.split(separator: ":").last.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    private static func startAcquirer(_ settings: ChaosSettings, _ folder: String) async throws -> Gateway {
        let process = try ProgramProcess("acquirer", program: settings.program, logPath: folder + "/acquirer.log")
        let arguments = ["acquirer", "--json", "--data", folder + "/acquirer", "--port"]
        let line = try await process.start(arguments + ["0"])
        guard let url = try JSON.parse(line)["acquirer"]?.string else {
            throw ChaosError("The acquirer announces no address: \(line)")
        }
        return Gateway(process: process, arguments: arguments + [String(self.port(of: url))], url: url)
    }

    /// - Returns: what the sandbox announces.
    private static func makeMerchants(
        _ settings: ChaosSettings, _ folder: String, _ options: [String]
    ) async throws -> JSON {
        let process = try ProgramProcess("sandbox", program: settings.program, logPath: folder + "/sandbox.log")
        let line = try await process.start(
            ["sandbox", "--json", "--no-shop", "--data", folder + "/node1", "--port", "0", "--tls-port", "0"] + options)
        await process.end(SIGTERM)
        return try JSON.parse(line)
    }

    private static func startNode(
        _ number: Int, _ settings: ChaosSettings, _ folder: String, store: String, acquirerPort: Int
    ) async throws -> Gateway {
        let data = "\(folder)/node\(number)"
        if number > 1 {
            try FileManager.default.createDirectory(
                atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for name in ["master.key", "authority"] {
                try FileManager.default.copyItem(atPath: "\(folder)/node1/\(name)", toPath: "\(data)/\(name)")
            }
        }
        let configuration: JSON = [
            "data": ["directory": .string(data)],
            "store": ["url": .string(store)],
            "http": ["enabled": true, "host": "127.0.0.1", "port": 0],
            "log": ["level": "warning"],
            "acquirer": [
                "address": .string("tcp://127.0.0.1:\(acquirerPort)"),
                "secretFile": .string("\(folder)/acquirer/acquirer.secret"), "deadlineSeconds": 2,
            ],
            "webhooks": ["allowPrivateTargets": true],
        ]
        let path = "\(folder)/node\(number).json"
        try Data(configuration.serialized()).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let process = try ProgramProcess(
            "node \(number)", program: settings.program, logPath: "\(folder)/node\(number).log")
        let line = try await process.start(["serve", "--config", path])
        let port = self.port(of: line)
        guard port > 0 else { throw ChaosError("Node \(number) announces no address: \(line)") }
        return Gateway(
            process: process, arguments: ["serve", "--config", path, "--port", String(port)],
            url: "http://127.0.0.1:\(port)")
    }

    /// Reads beside the gateways, past the proxies.
    func openStore() async throws -> any PaymentStore {
        guard let database else { return try SQLiteStore.openReadOnly(path: self.dataPath + "/pomona.sqlite") }
        return try await PostgreSQLStore.openReadOnly(url: Redacted(database.url(database: self.databaseName)))
    }

    /// In good order, the gateways first.
    func stop() async {
        for gateway in self.gateways { await gateway.process.end(SIGTERM) }
        await self.acquirer.process.end(SIGTERM)
    }

    /// Whatever still runs ends, and nothing is left on the disk.
    func remove() async {
        for gateway in self.gateways + [self.acquirer] { await gateway.process.end(SIGKILL) }
        await self.acquirerProxy.close()
        await self.databaseProxy?.close()
        try? await self.database?.stop()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    /// The ends of all logs, for a run that has found something.
    func logs() -> String {
        (self.gateways + [self.acquirer]).map { gateway in
            let lines = gateway.process.log.split(separator: "\n").suffix(15)
            return "\(gateway.process.name):\n" + lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
