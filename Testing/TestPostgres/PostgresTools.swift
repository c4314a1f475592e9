//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestProcesses

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// PostgreSQL's programs, where they are installed, and the user that its server runs as.
public struct PostgresTools: Sendable {
    public let directory: String

    /// - Throws: ``PostgresTrouble`` that says what to install.
    public static func find() throws -> PostgresTools {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let installed = versions.compactMap(Int.init).sorted(by: >).map { "/usr/lib/postgresql/\($0)/bin" }
        let found = (installed + SearchPath.folders).first { directory in
            ["initdb", "postgres", "psql"].allSatisfy {
                FileManager.default.isExecutableFile(atPath: directory + "/" + $0)
            }
        }
        guard let found else {
            throw PostgresTrouble(
                """
                These tests need a PostgreSQL server: initdb, postgres and psql are neither in PATH nor below \
                /usr/lib/postgresql. Install the package "postgresql" (script/bootstrap does it), then run them again.
                """)
        }
        return PostgresTools(directory: found)
    }

    public func path(_ tool: String) -> String { self.directory + "/" + tool }

    /// What has to stand before a command so that it runs as an ordinary user: PostgreSQL refuses to run as root.
    public func unprivileged() throws -> [String] {
        guard geteuid() == 0 else { return [] }
        guard let user = Self.user() else {
            throw PostgresTrouble("PostgreSQL does not run as root, and there is neither a user postgres nor nobody.")
        }
        for tool in ["/usr/bin/setpriv", "/bin/setpriv"] where FileManager.default.isExecutableFile(atPath: tool) {
            return [tool, "--reuid=\(user.name)", "--regid=\(user.group)", "--clear-groups"]
        }
        for tool in ["/usr/sbin/runuser", "/sbin/runuser"] where FileManager.default.isExecutableFile(atPath: tool) {
            return [tool, "-u", user.name, "--"]
        }
        throw PostgresTrouble("PostgreSQL does not run as root; install the package \"util-linux\", which has setpriv.")
    }

    /// Commits of one row a second, over eight connections (pgbench).
    /// - Parameter url: of a database; it gets a table of its own for them.
    public func commitsPerSecond(at url: String, seconds: Int) async throws -> Int64 {
        try await Command([
            self.path("psql"), "-X", "-q", "-d", url, "-c", "CREATE TABLE IF NOT EXISTS commits (n integer)",
        ])
        .runWell()
        let script = FileManager.default.temporaryDirectory.appendingPathComponent("commits-\(UUID()).sql")
        try Data("INSERT INTO commits VALUES (1);".utf8).write(to: script)
        defer { try? FileManager.default.removeItem(at: script) }
        let output = try await Command([
            self.path("pgbench"), "-n", "-f", script.path, "-c", "8", "-j", "2", "-T", String(seconds), url,
        ]).runWell()
        // "tps = 1234.5 (without initial connection time)"
        let line = output.split(separator: "\n").first { $0.hasPrefix("tps = ") } ?? ""
        guard let rate = Int64(line.dropFirst(6).prefix { $0.isNumber }) else {
            throw PostgresTrouble("pgbench says nothing of its rate:\n\(output.suffix(1000))")
        }
        return rate
    }

    /// Makes a temporary directory that the server's user can get to, and owns.
    public func makeDirectory(_ name: String) throws -> String {
        let places = [NSTemporaryDirectory(), "/tmp", "/var/tmp"]
        guard let place = places.first(where: Self.isOpenToAll) else {
            throw PostgresTrouble("There is no temporary directory that every user can get to.")
        }
        let directory = URL(fileURLWithPath: place).appendingPathComponent("pomona-\(name)-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try self.giveAway(directory)
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

    /// Gives a file or a directory to the user that the server runs as.
    public func giveAway(_ directory: String) throws {
        guard geteuid() == 0, let user = Self.user() else { return }
        guard chown(directory, user.id, user.group) == 0 else {
            throw PostgresTrouble("The server's directory cannot be given to the user \(user.name).")
        }
    }

    private static func user() -> (name: String, id: uid_t, group: gid_t)? {
        for name in ["postgres", "nobody"] {
            if let entry = getpwnam(name) { return (name, entry.pointee.pw_uid, entry.pointee.pw_gid) }
        }
        return nil
    }
}

/// Why there is no server.
public struct PostgresTrouble: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
