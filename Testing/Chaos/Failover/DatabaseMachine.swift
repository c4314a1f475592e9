//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestPostgres
import TestProcesses

/// One machine of a replicated database: PostgreSQL, patroni that starts it, stops it and decides with the others who is the
/// primary, and a member of etcd.
final class DatabaseMachine: Sendable {
    /// "db1".
    let name: String
    let address: String
    /// Before its PostgreSQL, for the other machines: bad weather there cuts its standbys off.
    let proxy: Proxy
    private let folder: String
    private let files: FailoverFiles
    private let etcd: Daemon
    private let patroni: Daemon
    private let etcdPath: String
    private let patroniPath: String

    private init(
        name: String, address: String, proxy: Proxy, folder: String, files: FailoverFiles, etcdPath: String,
        patroniPath: String
    ) {
        self.name = name
        self.address = address
        self.proxy = proxy
        self.folder = folder
        self.files = files
        self.etcdPath = etcdPath
        self.patroniPath = patroniPath
        self.etcd = Daemon(
            logPath: files.directory + "/\(name)-etcd.log", lastSignal: "TERM", removing: folder + "/etcd")
        self.patroni = Daemon(logPath: files.directory + "/\(name)-patroni.log", lastSignal: "TERM", removing: folder)
    }

    static func make(_ number: Int, _ files: FailoverFiles, seed: UInt64) async throws -> DatabaseMachine {
        let (name, address) = ("db\(number)", files.address(10 + number))
        let folder = "\(files.directory)/\(name)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try files.tools.giveAway(folder)
        try await files.makeCertificate(name, address: address, in: folder)
        let proxy = try await Proxy(to: 5432, of: address, carrying: .bytes, seed: seed ^ UInt64(number))
        func write(_ file: String) throws -> String {
            try files.write(file, ofMachine: number, in: folder, replicationPort: proxy.port)
        }
        return DatabaseMachine(
            name: name, address: address, proxy: proxy, folder: folder, files: files, etcdPath: try write("etcd.yml"),
            patroniPath: try write("patroni.yml"))
    }

    /// Starts what does not run.
    func start() throws {
        let user = ["/usr/bin/env", "HOME=\(self.folder)"] + (try self.files.tools.unprivileged())
        if !self.etcd.isRunning {
            try self.etcd.start(user + [try Self.find("etcd"), "--config-file", self.etcdPath])
        }
        if !self.patroni.isRunning { try self.patroni.start(user + [try Self.find("patroni"), self.patroniPath]) }
    }

    var isRunning: Bool { self.etcd.isRunning && self.patroni.isRunning }

    private static func find(_ program: String) throws -> String {
        guard let path = SearchPath.find(program, orIn: ["/usr/bin", "/usr/sbin"]) else {
            throw ChaosError("\(program) is not installed; script/bootstrap failover installs it.")
        }
        return path
    }

    // MARK: - Harm

    /// As when the power goes (but for what the operating system has not written yet).
    func kill() async throws {
        self.signal(SIGSTOP)
        self.postgres?.kill()
        try await self.patroni.end(with: SIGKILL)
        try await self.etcd.end(with: SIGKILL)
        try await self.awaitEndOfPostgres()
    }

    /// Everything on it stands still.
    func freeze() { self.signal(SIGSTOP) }

    func thaw() { self.signal(SIGCONT) }

    func freezeEtcd() {
        if let pid = self.etcd.pid { ProcessTree(of: pid).signal(SIGSTOP) }
    }

    /// Kills PostgreSQL alone.
    func killPostgres() { self.postgres?.kill() }

    func stopPostgres() { self.postgres?.signalRoot(SIGQUIT) }

    /// In order, the database first.
    func stop() async throws {
        self.thaw()
        try await self.patroni.end(with: SIGTERM)
        try await self.etcd.end(with: SIGTERM)
        await self.proxy.close()
    }

    private func signal(_ number: CInt) {
        for pid in [self.patroni.pid, self.etcd.pid].compactMap({ $0 }) { ProcessTree(of: pid).signal(number) }
        self.postgres?.signal(number)
    }

    /// The server, if it runs.
    private var postgres: ProcessTree? {
        guard let text = try? String(contentsOfFile: self.folder + "/data/postmaster.pid", encoding: .utf8),
            let pid = text.split(separator: "\n").first.flatMap({ Int32($0) }), ProcessTree(of: pid).isRunning
        else { return nil }
        return ProcessTree(of: pid)
    }

    /// The number of its server's process.
    var postgresID: Int32? { self.postgres?.pid }

    private func awaitEndOfPostgres() async throws {
        try await Timer.retrying(milliseconds: 60_000) {
            if self.postgres != nil { throw ChaosError("PostgreSQL of \(self.name) does not end.") }
        }
    }

    // MARK: - Questions

    /// A request to patroni, as docs/operations.md has it.
    /// - Returns: the answer's text; `nil` when there was none.
    func ask(_ path: String) async -> String? {
        try? await Command([
            "/usr/bin/curl", "--silent", "--max-time", "2", "--cacert", self.files.authorityPath,
            "https://\(self.address):8008\(path)",
        ]).runWell()
    }

    /// An operator's command.
    func control(_ arguments: [String]) async throws -> String {
        let command = ["/usr/bin/env", "LC_ALL=C.UTF-8", try Self.find("patronictl"), "-c", self.patroniPath]
        return try await Command(command + arguments).runWell()
    }

    /// SQL as the database's owner, by the socket on the machine itself.
    func execute(_ sql: String, database: String) async throws -> String {
        let psql = [
            self.files.tools.path("psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U",
            "postgres",
            "-d", database,
        ]
        return try await Command(try self.files.tools.unprivileged() + psql).runWell(input: sql)
            .trimmingCharacters(in: .newlines)
    }

    var log: String { "\(self.name), patroni and PostgreSQL:\n\(self.patroni.log)" }
}
