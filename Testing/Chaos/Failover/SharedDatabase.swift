//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import TestPostgres

/// The database that the gateways share: one server, or several of which one takes another's place.
protocol SharedDatabase: Sendable {
    var log: String { get }

    /// Kills the server that takes writes, and all its processes.
    func kill() async throws
    /// Kills all servers there are.
    func killAll() async throws
    /// Has it give up at once, as its operator can (pg_ctl stop -m immediate).
    func stopImmediately() async throws
    func freeze() async
    /// Ends whatever stands in its way.
    func calm() async
    /// Sees to it that the database takes writes.
    /// - Parameter unlessRunning: whether to leave alone what has not ended.
    func start(unlessRunning: Bool) async throws
    func stop() async throws

    /// Runs SQL as the database's owner.
    /// - Returns: the rows, one a line, columns parted by "|".
    @discardableResult
    func execute(_ sql: String, database: String) async throws -> String
    func dump(database: String) async throws -> String
    /// - Returns: commits of one row a second, over eight connections.
    func commitsPerSecond(seconds: Int) async throws -> Int64
    /// Of somebody who looks from beside the gateways.
    func url(database: String) -> String
}

extension SharedDatabase {
    @discardableResult
    func execute(_ sql: String) async throws -> String { try await self.execute(sql, database: "postgres") }
}

extension PostgresServer: SharedDatabase {
    func killAll() async throws { try await self.kill() }
    func calm() async { self.thaw() }
    func url(database: String) -> String { self.url(database: database, user: "postgres") }
}
