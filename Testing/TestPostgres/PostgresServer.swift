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
    private struct State {
        /// The shell above the server, which lives as long as its input is open.
        var supervisor: ChildProcess?
        var pid: pid_t?
        var databasesCount = 0
    }

    /// Where the cluster lies.
    public let directory: String
    public let port: UInt16
    private let tools: PostgresTools
    private let settings: [String]
    /// Of the server's processes, "NAME=VALUE".
    private let environment: [String]
    private let state = Mutex(State())

    private init(
        tools: PostgresTools, directory: String, port: UInt16, settings: [String], environment: [String]
    ) {
        self.tools = tools
        self.directory = directory
        self.port = port
        self.settings = settings
        self.environment = environment
    }

    deinit {
        guard let supervisor = self.state.withLock({ $0.supervisor }) else {
            try? FileManager.default.removeItem(atPath: self.directory)
            return
        }
        // The shell reads the end of the pipe, stops the server and removes the directory.
        supervisor.closeInput()
        supervisor.closeOutput()
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
        let directory = try self.makeDirectory(tools)
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
    public func stop() async throws { try await self.end(with: SIGINT) }

    /// Kills the server and all its processes at once, as a crash of the machine would (but for its memory of files).
    public func kill() async throws { try await self.end(with: SIGKILL) }

    /// Has the server give up at once, as its operator can (pg_ctl stop -m immediate): nothing is written any more.
    public func stopImmediately() async throws { try await self.end(with: SIGQUIT) }

    /// Stops the server and all its processes where they are, until ``thaw()``.
    public func freeze() { self.signalAll(SIGSTOP) }

    public func thaw() { self.signalAll(SIGCONT) }

    private func signalAll(_ signal: CInt) {
        guard let server = self.state.withLock({ $0.pid }) else { return }
        for process in [server] + childrenOf(server) { _ = signalProcess(process, signal) }
    }

    /// Whether the server has not ended, by itself or otherwise.
    public var isRunning: Bool { self.state.withLock { $0.supervisor.map { !$0.hasClosedOutput } ?? false } }

    /// What the server has logged.
    public var log: String { (try? String(contentsOfFile: self.directory + "/log", encoding: .utf8)) ?? "" }

    /// Commits of one row a second, over eight connections (pgbench).
    public func commitsPerSecond(seconds: Int) async throws -> Int64 {
        try await self.execute("CREATE TABLE IF NOT EXISTS commits (n integer)")
        let script = FileManager.default.temporaryDirectory.appendingPathComponent("commits-\(UUID()).sql")
        try Data("INSERT INTO commits VALUES (1);".utf8).write(to: script)
        defer { try? FileManager.default.removeItem(at: script) }
        let output = try await Command([
            self.tools.path("pgbench"), "-n", "-f", script.path, "-c", "8", "-j", "2", "-T", String(seconds),
            self.url(database: "postgres"),
        ]).runWell()
        // "tps = 1234.5 (without initial connection time)"
        let line = output.split(separator: "\n").first { $0.hasPrefix("tps = ") } ?? ""
        guard let rate = Int64(line.dropFirst(6).prefix { $0.isNumber }) else {
            throw PostgresTrouble("pgbench says nothing of its rate:\n\(output.suffix(1000))")
        }
        return rate
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
        let number = self.state.withLock { state in
            state.databasesCount += 1
            return state.databasesCount
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

    /// Runs the server below a shell that ends it when the pipe from this process is closed. The server and all its
    /// processes have the other pipe open, which so shows when the last of them has ended.
    private func launch() throws {
        self.dismissSupervisor()
        let script = """
            exec 3>&1 >>"$1/log" 2>&1
            directory=$1; shift
            "$@" </dev/null & server=$!
            echo $server >&3
            exec 3>&-
            cat >/dev/null
            kill -s INT $server 2>/dev/null
            wait $server
            rm -rf "$directory"
            """
        let server =
            [self.tools.path("postgres"), "-D", self.directory + "/data"]
            + (self.settings + [
                "port=\(self.port)", "listen_addresses=127.0.0.1", "unix_socket_directories=", "logging_collector=off",
            ]).flatMap { ["-c", $0] }
        let shell = ["/bin/sh", "-c", script, "sh", self.directory]
        let environment = self.environment.isEmpty ? [] : ["/usr/bin/env"] + self.environment
        let supervisor = try ChildProcess(shell + (try self.tools.unprivileged()) + environment + server)
        let pid = pid_t(supervisor.readLine())
        self.state.withLock { state in
            state.supervisor = supervisor
            state.pid = pid
        }
    }

    /// - Returns: `false` when the server has ended instead.
    private func isAnswering(until deadline: ContinuousClock.Instant) async -> Bool {
        let ready = Command([
            self.tools.path("psql"), "-X", "-q", "-A", "-t", "-d", self.url(database: "postgres"), "-c", "SELECT 1",
        ])
        while ContinuousClock.now < deadline {
            guard let supervisor = self.state.withLock({ $0.supervisor }), !supervisor.hasClosedOutput else {
                return false
            }
            if await (try? ready.runWell()) != nil { return true }
        }
        return false
    }

    private func end(with signal: CInt) async throws {
        let (supervisor, server) = self.state.withLock { ($0.supervisor, $0.pid) }
        guard let supervisor, let server else { return }
        // Stopped first: what it forked between the look at its children and its own end would live on.
        if signal == SIGKILL { _ = signalProcess(server, SIGSTOP) }
        for process in [server] + (signal == SIGKILL ? childrenOf(server) : []) { _ = signalProcess(process, signal) }
        _ = try await onThread { supervisor.readToEnd() }
        self.dismissSupervisor()
    }

    /// Ends the shell above a server that has ended, so that it leaves the directory alone.
    private func dismissSupervisor() {
        let supervisor = self.state.withLock { state in
            defer { (state.supervisor, state.pid) = (nil, nil) }
            return state.supervisor
        }
        guard let supervisor else { return }
        _ = signalProcess(supervisor.pid, SIGKILL)
        supervisor.wait()
        supervisor.closeInput()
        supervisor.closeOutput()
    }

    // MARK: - Places

    /// A directory that the server's user can get to.
    private static func makeDirectory(_ tools: PostgresTools) throws -> String {
        let places = [NSTemporaryDirectory(), "/tmp", "/var/tmp"]
        guard let place = places.first(where: isOpenToAll) else {
            throw PostgresTrouble("There is no temporary directory that every user can get to.")
        }
        let directory = URL(fileURLWithPath: place).appendingPathComponent("pomona-postgres-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try tools.giveAway(directory)
        return directory
    }

    private static func isOpenToAll(_ place: String) -> Bool {
        var path = URL(fileURLWithPath: place).standardizedFileURL
        while true {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path.path)
            guard let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue, mode & 0o001 != 0 else {
                return false
            }
            if path.path == "/" { return true }
            path.deleteLastPathComponent()
        }
    }
}

private func signalProcess(_ pid: pid_t, _ signal: CInt) -> CInt { kill(pid, signal) }

private func childrenOf(_ pid: pid_t) -> [pid_t] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap { pid_t($0) }.filter { parentOf($0) == pid }
}

/// proc(5), /proc/pid/stat: pid, (command), state, parent.
private func parentOf(_ pid: pid_t) -> pid_t? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    return fields.count > 1 ? pid_t(fields[1]) : nil
}
