//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import TestPostgres
import TestProcesses

/// PostgreSQL on three machines, a primary with a synchronous standby and a spare one, as docs/operations.md sets it up:
/// patroni over etcd, and a haproxy beside each gateway that leads to the primary.
final class ReplicatedDatabase: SharedDatabase {
    static let databaseName = "pomona"

    let machines: [DatabaseMachine]
    private let files: FailoverFiles
    private let balancers: [Balancer]
    private let passwordPath: String

    private init(
        machines: [DatabaseMachine], files: FailoverFiles, balancers: [Balancer], passwordPath: String
    ) {
        self.machines = machines
        self.files = files
        self.balancers = balancers
        self.passwordPath = passwordPath
    }

    /// Starts everything, and makes the gateways' database.
    /// - Parameter source: the repository's ops/failover.
    static func start(source: URL?, nodesCount: Int, seed: UInt64) async throws -> ReplicatedDatabase {
        guard let source else { throw ChaosError("Where the configuration lies (ops/failover) is not known.") }
        let tools = try PostgresTools.find()
        let network = "127.\(Int.random(in: 16...250)).\(Int.random(in: 1...250))."
        let files = FailoverFiles(
            source: source, directory: try tools.makeDirectory("failover"), network: network, tools: tools)
        // Certificates are read by the gateways, too.
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: files.directory)
        try await files.makeAuthority()
        var machines: [DatabaseMachine] = []
        for number in 1...3 { machines.append(try await DatabaseMachine.make(number, files, seed: seed)) }
        var balancers: [Balancer] = []
        for number in 1...nodesCount {
            let address = files.address(20 + number)
            let path = try files.write(balancer: "haproxy-database.cfg", at: address, as: "database\(number)")
            balancers.append(try await Balancer(configurationPath: path, address: address, port: 5000))
        }
        let password = UUID().uuidString
        let database = ReplicatedDatabase(
            machines: machines, files: files, balancers: balancers,
            passwordPath: try files.writePassword(password))
        do {
            try await database.start(unlessRunning: false)
            try await database.execute(
                "CREATE ROLE pomona LOGIN PASSWORD '\(password)'; CREATE DATABASE pomona OWNER pomona TEMPLATE template0",
                database: "postgres")
        } catch {
            let log = database.log
            try? await database.stop()
            throw ChaosError("\(error)\n\(log)")
        }
        return database
    }

    /// What the node's configuration says, by its own balancer.
    func url(ofNode number: Int) -> String {
        "postgresql://pomona@pomona-db:5000/\(Self.databaseName)?hostaddr=\(self.files.address(20 + number))"
            + "&sslmode=verify-full&sslrootcert=\(self.files.authorityPath)&passfile=\(self.passwordPath)"
    }

    func url(database: String) -> String { self.url(ofNode: 1) }

    /// A balancer before the gateways.
    /// - Parameter ports: theirs, on 127.0.0.1.
    /// - Returns: the balancer, and the URL where shops find it.
    func makeFront(to ports: [Int]) async throws -> (balancer: Balancer, url: String) {
        let places = ports.enumerated().map { ("10.0.0.2\($0.offset + 1):8080", "127.0.0.1:\($0.element)") }
        let path = try self.files.write(balancer: "haproxy-gateways.cfg", at: "", as: "gateways", others: places)
        let balancer = try await Balancer(configurationPath: path, address: self.files.address(31), port: 8080)
        return (balancer, "http://\(self.files.address(31)):8080")
    }

    // MARK: - Who is what

    /// What patroni says of the machines.
    struct Status {
        let primary: DatabaseMachine
        let synchronousStandby: DatabaseMachine?
        /// Whether all of them run and there is a standby that has everything.
        let isWhole: Bool
    }

    func status() async -> Status? {
        for machine in self.machines {
            guard let text = await machine.ask("/cluster"),
                let members = (try? JSON.parse(text))?["members"]?.array
            else { continue }
            func running(_ role: String) -> DatabaseMachine? {
                let name = members.first { $0["role"]?.string == role && $0["state"]?.string == "running" }?["name"]?
                    .string
                return self.machines.first { $0.name == name }
            }
            guard let primary = running("leader") else { return nil }
            let standby = running("sync_standby")
            let runningCount = members.count { $0["state"]?.string == "running" }
            return Status(
                primary: primary, synchronousStandby: standby,
                isWhole: standby != nil && runningCount == self.machines.count)
        }
        return nil
    }

    /// Waits for a state of the machines.
    @discardableResult
    func awaitStatus(_ title: String, _ isReached: (Status) -> Bool) async throws -> Status {
        try await Timer.retrying(milliseconds: 180_000) {
            guard let status = await self.status(), isReached(status) else {
                throw ChaosError("The databases do not come to this: \(title).\n\(self.log)")
            }
            return status
        }
    }

    @discardableResult
    private func awaitWhole() async throws -> Status {
        try await self.awaitStatus("a primary, a synchronous standby and another one") { $0.isWhole }
    }

    // MARK: - SharedDatabase

    func start(unlessRunning: Bool) async throws {
        if unlessRunning, self.machines.allSatisfy(\.isRunning) { return }
        for machine in self.machines { try machine.start() }
        try await self.awaitWhole()
    }

    func kill() async throws { try await self.replacing { $0.killPostgres() } }
    func stopImmediately() async throws { try await self.replacing { $0.stopPostgres() } }

    /// Waits until another machine is the primary, or the same with another server: patroni says for some seconds that all is
    /// well.
    private func replacing(_ harm: (DatabaseMachine) -> Void) async throws {
        let primary = try await self.awaitWhole().primary
        let server = primary.postgresID
        harm(primary)
        try await self.awaitStatus("a server in the place of the killed one") { status in
            status.primary !== primary || primary.postgresID.map { $0 != server } ?? false
        }
    }

    func killAll() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for machine in self.machines { group.addTask { try await machine.kill() } }
            try await group.waitForAll()
        }
    }

    func freeze() async { await self.status()?.primary.freeze() }

    func stop() async throws {
        for balancer in self.balancers { try await balancer.stop() }
        for machine in self.machines { try await machine.stop() }
        try? FileManager.default.removeItem(atPath: self.files.directory)
    }

    @discardableResult
    func execute(_ sql: String, database: String) async throws -> String {
        try await self.awaitStatus("a primary") { _ in true }.primary.execute(sql, database: database)
    }

    func dump(database: String) async throws -> String {
        try await Command([self.files.tools.path("pg_dump"), "-d", self.url(database: database)]).runWell()
    }

    func commitsPerSecond(seconds: Int) async throws -> Int64 {
        try await self.files.tools.commitsPerSecond(at: self.url(ofNode: 1), seconds: seconds)
    }

    var log: String {
        self.machines.map { machine in
            machine.log.split(separator: "\n").suffix(30).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    // MARK: - Harm

    /// Kills the primary's machine; it comes back when another one has taken over.
    func killPrimary() async throws {
        let primary = try await self.awaitWhole().primary
        try await primary.kill()
        try await self.awaitStatus("another primary") { $0.primary !== primary }
        try primary.start()
        try await self.awaitWhole()
    }

    /// Longer than patroni's ttl, another one takes over, and the old one wakes up among others.
    func freezePrimary(milliseconds: Int64) async throws {
        try await self.harm(
            self.awaitWhole().primary, for: milliseconds, begin: { $0.freeze() }, end: { $0.thaw() })
    }

    /// Kills the machine of the synchronous standby.
    func killStandby(milliseconds: Int64) async throws {
        try await self.harm(
            self.awaitWhole().synchronousStandby, for: milliseconds, begin: { try await $0.kill() },
            end: { try $0.start() })
    }

    func freezeStandby(milliseconds: Int64) async throws {
        try await self.harm(
            self.awaitWhole().synchronousStandby, for: milliseconds, begin: { $0.freeze() }, end: { $0.thaw() })
    }

    /// Nothing that the primary writes reaches anybody.
    func cutStandbys(milliseconds: Int64) async throws {
        try await self.harm(
            self.awaitWhole().primary.proxy, for: milliseconds, begin: { $0.set(ProxyWeather(cut: 1000)) },
            end: { $0.set(.calm) })
    }

    /// Nobody can be asked who the primary is.
    func freezeEtcd(milliseconds: Int64) async throws {
        try await self.awaitWhole()
        try await self.harm(
            self.machines, for: milliseconds, begin: { for machine in $0 { machine.freezeEtcd() } },
            end: { for machine in $0 { machine.thaw() } })
    }

    /// Does harm for a while, and waits until all is well again.
    private func harm<Part>(
        _ part: Part?, for milliseconds: Int64, begin: (Part) async throws -> Void, end: (Part) async throws -> Void
    ) async throws {
        guard let part else { return }
        try await begin(part)
        await Timer.pause(milliseconds: milliseconds)
        try await end(part)
        try await self.awaitWhole()
    }

    /// An operator makes another machine the primary.
    func switchOver() async throws {
        let status = try await self.awaitWhole()
        guard let standby = status.synchronousStandby else { return }
        _ = try await standby.control([
            "switchover", "pomona", "--leader", status.primary.name, "--candidate", standby.name, "--force",
        ])
        try await self.awaitStatus("another primary") { $0.primary !== status.primary && $0.isWhole }
    }

    func calm() async {
        for machine in self.machines {
            machine.thaw()
            machine.proxy.set(.calm)
        }
    }
}
