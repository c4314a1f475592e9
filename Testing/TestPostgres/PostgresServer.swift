//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization
import TestProcesses

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A PostgreSQL server for tests: a cluster of its own in a temporary directory, on a free port of 127.0.0.1, for as
/// long as this process lives. Whoever connects is trusted, whatever password he gives.
///
///     let server = try await PostgresServer.shared()
///     let url = try await server.makeDatabase()
///
/// The server hangs on a pipe of this process: when the process ends, however it ends, the server is stopped and its
/// directory removed.
public final class PostgresServer: Sendable {
    /// Where the cluster lies.
    public let directory: String
    public let port: UInt16
    private let tools: PostgresTools
    private let settings: [String]
    /// Of the server's processes, "NAME=VALUE".
    private let environment: [String]
    private let daemon: Daemon
    private let databasesCount = Mutex(0)

    private init(
        tools: PostgresTools, directory: String, port: UInt16, settings: [String], environment: [String]
    ) {
        self.tools = tools
        self.directory = directory
        self.port = port
        self.settings = settings
        self.environment = environment
        // SIGINT ends the server in order, and cuts its clients off.
        self.daemon = Daemon(logPath: directory + "/log", lastSignal: "INT", removing: directory)
    }

    /// Makes a cluster and starts its server.
    ///
    /// - Parameters:
    ///   - fsync: whether commits reach the disk; without, tests are quicker, and a killed server still loses nothing,
    ///     for the operating system lives on.
    ///   - settings: further ones, as postgresql.conf has them ("max_connections=20").
    ///   - environment: of the server's processes, "NAME=VALUE".
    /// - Throws: ``PostgresTrouble``; without PostgreSQL installed it says what to install.
    public static func start(
        fsync: Bool = false, settings: [String] = [], environment: [String] = []
    ) async throws -> PostgresServer {
        let tools = try PostgresTools.find()
        let directory = try tools.makeDirectory("postgres")
        let initdb =
            try tools.unprivileged() + [
                tools.path("initdb"), "-D", directory + "/data", "-U", "postgres", "-A", "trust", "-E", "UTF8",
                "--locale=C", "--no-sync", "--no-instructions",
            ]
        try await Command(initdb).runWell()
        let server = PostgresServer(
            tools: tools, directory: directory, port: UInt16(try FreePort.find()),
            settings: ["fsync=\(fsync ? "on" : "off")", "max_connections=200"] + settings,
            environment: environment)
        try await server.start()
        return server
    }

    private static let sharedServer = Task<PostgresServer, any Error> { try await PostgresServer.start() }

    /// The one server that the tests of this process share, each with a database of its own.
    public static func shared() async throws -> PostgresServer { try await self.sharedServer.value }

    /// Starts the server on the cluster as it is, after ``stop()`` or ``kill()``, and waits until it answers.
    ///
    /// - Parameter unlessRunning: whether to leave a server alone that has not ended.
    public func start(unlessRunning: Bool = false) async throws {
        if unlessRunning, self.isRunning { return }
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            try self.launch()
            if await self.isAnswering(until: deadline) { return }
            // A killed server's processes may hold its memory for a moment, and the new one then gives up.
            guard ContinuousClock.now < deadline else {
                let log = (try? String(contentsOfFile: self.directory + "/log", encoding: .utf8)) ?? ""
                throw PostgresTrouble("The PostgreSQL server does not start:\n\(log.suffix(2000))")
            }
        }
    }

    /// Lets the server end in order, and waits for it. Clients are cut off.
    public func stop() async throws { try await self.daemon.end(with: SIGINT) }

    /// Kills the server and all its processes at once, as a crash of the machine would (but for its memory of files).
    public func kill() async throws { try await self.daemon.end(with: SIGKILL) }

    /// Has the server give up at once, as its operator can (pg_ctl stop -m immediate): nothing is written any more.
    public func stopImmediately() async throws { try await self.daemon.end(with: SIGQUIT) }

    /// Stops the server and all its processes where they are, until ``thaw()``.
    public func freeze() { self.signalAll(SIGSTOP) }

    public func thaw() { self.signalAll(SIGCONT) }

    private func signalAll(_ signal: CInt) {
        if let pid = self.daemon.pid { ProcessTree(of: pid).signal(signal) }
    }

    /// Whether the server has not ended, by itself or otherwise.
    public var isRunning: Bool { self.daemon.isRunning }

    /// What the server has logged.
    public var log: String { self.daemon.log }

    /// Commits of one row a second, over eight connections (pgbench).
    public func commitsPerSecond(seconds: Int) async throws -> Int64 {
        try await self.tools.commitsPerSecond(at: self.url(database: "postgres"), seconds: seconds)
    }

    /// A database as SQL.
    public func dump(database: String) async throws -> String {
        try await Command([self.tools.path("pg_dump"), "-d", self.url(database: database)]).runWell()
    }

    /// The URL of a database on this server.
    public func url(database: String, user: String = "postgres", password: String? = nil) -> String {
        "postgresql://\(user)\(password.map { ":" + $0 } ?? "")@127.0.0.1:\(self.port)/\(database)"
    }

    /// Makes a database, empty or a copy of another that nobody is connected to.
    /// - Returns: its name.
    public func makeDatabase(copyOf template: String = "template0") async throws -> String {
        let number = self.databasesCount.withLock { count in
            count += 1
            return count
        }
        let name = "test\(number)"
        try await self.execute("CREATE DATABASE \(name) TEMPLATE \(template)")
        return name
    }

    /// Runs SQL as another program would.
    /// - Returns: the rows, one a line, columns parted by "|".
    @discardableResult
    public func execute(_ sql: String, database: String = "postgres") async throws -> String {
        let psql = [
            self.tools.path("psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d",
            self.url(database: database),
        ]
        return try await Command(psql).runWell(input: sql).trimmingCharacters(in: .newlines)
    }

    // MARK: - The process

    private func launch() throws {
        let server =
            [self.tools.path("postgres"), "-D", self.directory + "/data"]
            + (self.settings + [
                "port=\(self.port)", "listen_addresses=127.0.0.1", "unix_socket_directories=", "logging_collector=off",
            ]).flatMap { ["-c", $0] }
        let environment = self.environment.isEmpty ? [] : ["/usr/bin/env"] + self.environment
        try self.daemon.start(try self.tools.unprivileged() + environment + server)
    }

    /// - Returns: `false` when the server has ended instead.
    private func isAnswering(until deadline: ContinuousClock.Instant) async -> Bool {
        // Another server may have taken the port since it was found; this one then ends.
        let ready = Command([
            self.tools.path("psql"), "-X", "-q", "-A", "-t", "-d", self.url(database: "postgres"), "-c",
            "SHOW data_directory",
        ])
        while ContinuousClock.now < deadline {
            guard self.daemon.isRunning else { return false }
            let answer = try? await ready.runWell()
            if answer?.trimmingCharacters(in: .newlines) == self.directory + "/data" { return true }
        }
        return false
    }
}
