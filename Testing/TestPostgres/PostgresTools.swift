//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// PostgreSQL's programs, where they are installed.
struct PostgresTools: Sendable {
    let directory: String

    /// - Throws: ``PostgresTrouble`` that says what to install.
    static func find() throws -> PostgresTools {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let installed = versions.compactMap(Int.init).sorted(by: >).map { "/usr/lib/postgresql/\($0)/bin" }
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let found = (installed + path).first { directory in
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

    func path(_ tool: String) -> String { self.directory + "/" + tool }

    /// What has to stand before a command so that it runs as an ordinary user: PostgreSQL refuses to run as root.
    func unprivileged() throws -> [String] {
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

    /// Gives a directory to the user that the server runs as.
    func giveAway(_ directory: String) throws {
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
