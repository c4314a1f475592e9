//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CLibPQ
import Payments
import Redaction

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where the server is, and how a connection to it is set up.
struct ServerAddress: Sendable {
    private let url: Redacted<String>
    private let passwords: Redacted<[String]>
    private let settings: PostgreSQLSettings
    private let isReadOnly: Bool

    /// - Throws: ``StoreError/unavailable(_:)`` when libpq cannot read the URL. What it says is not passed on, because it
    ///   quotes the URL.
    init(url: Redacted<String>, settings: PostgreSQLSettings, isReadOnly: Bool) throws(StoreError) {
        let text = url.reveal()
        guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://"),
            let options = PQconninfoParse(text, nil)
        else {
            throw .unavailable("the URL is malformed; it must be postgresql://user@host:port/database?sslmode=…")
        }
        defer { PQconninfoFree(options) }
        var passwords: [String] = []
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val, String(cString: keyword).hasSuffix("password") {
                passwords.append(String(cString: value))
            }
            option += 1
        }
        self.url = url
        self.passwords = Redacted(passwords.filter { !$0.isEmpty })
        self.settings = settings
        self.isReadOnly = isReadOnly
    }

    /// Connects, and sets the session up.
    /// - Throws: ``StoreError/unavailable(_:)``.
    func connect(statementTimeoutMilliseconds: Int? = nil) throws(StoreError) -> OpaquePointer {
        // A later keyword counts for more: the URL may say otherwise about what comes before it, and not about what comes
        // after it (postgresql.org/docs/15/libpq-connect.html).
        let parameters: [(String, String)] = [
            ("fallback_application_name", "pomona"),
            ("connect_timeout", "\(max(2, self.settings.connectTimeoutSeconds))"),
            ("keepalives", "1"), ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "20000"),
            ("dbname", self.url.reveal()),
            ("client_encoding", "UTF8"),
        ]
        guard let handle = Self.connect(parameters) else { throw .unavailable("there is not enough memory") }
        guard PQstatus(handle) == CONNECTION_OK else {
            defer { PQfinish(handle) }
            throw .unavailable("the PostgreSQL server cannot be reached: \(self.reason(handle))")
        }
        PostgreSQLNotices.ignore(on: handle)
        do throws(StoreError) {
            try self.setUp(handle, statementTimeoutMilliseconds ?? self.settings.statementTimeoutMilliseconds)
        } catch {
            PQfinish(handle)
            throw error
        }
        return handle
    }

    /// Connects for statements in pipeline mode.
    func connectForPipeline() throws(StoreError) -> PostgreSQLConnection {
        let handle = try self.connect()
        let silenceMax = CInt(clamping: self.settings.statementTimeoutMilliseconds + 5000)
        let connection = PostgreSQLConnection(taking: handle, silenceMax: silenceMax)
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
            throw .unavailable("the PostgreSQL server cannot be reached: the connection failed")
        }
        return connection
    }

    private static func connect(_ parameters: [(String, String)]) -> OpaquePointer? {
        let texts = parameters.map { (strdup($0.0), strdup($0.1)) }
        defer {
            for text in texts {
                free(text.0)
                free(text.1)
            }
        }
        let keywords: [UnsafePointer<CChar>?] = texts.map { UnsafePointer($0.0) } + [nil]
        let values: [UnsafePointer<CChar>?] = texts.map { UnsafePointer($0.1) } + [nil]
        return PQconnectdbParams(keywords, values, 1)
    }

    /// Held by every connection of this program, whatever name its operator has given it, for who needs the database alone.
    static let sessionLock: (type: Int32, object: Int32) = (0x506F_6D6F, 1)

    private func setUp(_ handle: OpaquePointer, _ statementTimeout: Int) throws(StoreError) {
        guard PQserverVersion(handle) >= 130_000 else {
            throw .unavailable("the server is older than PostgreSQL 13")
        }
        let encoding = PQparameterStatus(handle, "server_encoding").map { String(cString: $0) }
        guard encoding == "UTF8" else {
            throw .unavailable("the database's encoding is not UTF8; make it with ENCODING 'UTF8'")
        }
        let result = PQexec(
            handle,
            """
            SELECT set_config('statement_timeout', '\(statementTimeout)', false),
                set_config('lock_timeout', '\(self.settings.lockTimeoutMilliseconds)', false),
                set_config('idle_in_transaction_session_timeout',
                    '\(self.settings.idleInTransactionTimeoutMilliseconds)', false),
                set_config('default_transaction_read_only', '\(self.isReadOnly ? "on" : "off")', false),
                pg_advisory_lock_shared(\(Self.sessionLock.type), \(Self.sessionLock.object)),
                set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                    WHEN 'off' THEN 'on' WHEN 'local' THEN 'on' ELSE current_setting('synchronous_commit') END, false)
            """)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_TUPLES_OK else {
            throw .unavailable("the PostgreSQL server refuses the session's settings")
        }
    }

    /// What libpq says about a connection that was not made: the first line, without the password.
    private func reason(_ handle: OpaquePointer) -> String {
        var text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        text = text.split(separator: "\n").first.map(String.init) ?? "the connection failed"
        for password in self.passwords.reveal() {
            text = text.split(separator: password, omittingEmptySubsequences: false).joined(
                separator: redactionPlaceholder)
        }
        return text
    }
}
