//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import TestPostgres

/// Fills a store with copies of the payments that it has: all their rows, under ids of their own, a last place of which
/// counts the copies. That is quick, and every row is one that the gateway has written, of whatever schema.
struct StoreFilling {
    /// A database as SQL sees it.
    enum Engine {
        case sqlite(DatabaseQueue)
        case postgresql(any SharedDatabase, database: String)

        func rows(_ sql: String) async throws -> [String] {
            switch self {
            case .sqlite(let queue): return try await queue.read { try String.fetchAll($0, sql: sql) }
            case .postgresql(let server, let database):
                return try await server.execute(sql, database: database).split(separator: "\n").map(String.init)
            }
        }

        func execute(_ statements: [String]) async throws {
            switch self {
            case .sqlite(let queue):
                try await queue.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN")
                    for statement in statements { try database.execute(sql: statement) }
                    try database.execute(sql: "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
                }
            case .postgresql(let server, let database):
                // Without the checks of references, row by row.
                let start = ["SET session_replication_role = replica", "SET synchronous_commit = off", "BEGIN"]
                try await server.execute(
                    (start + statements + ["COMMIT"]).joined(separator: ";\n") + ";", database: database)
            }
        }

        func columns(of table: String) async throws -> [String] {
            switch self {
            case .sqlite: try await self.rows("SELECT name FROM pragma_table_info('\(table)')")
            case .postgresql:
                try await self.rows(
                    """
                    SELECT column_name FROM information_schema.columns WHERE table_name = '\(table)'
                    AND table_schema = current_schema() ORDER BY ordinal_position
                    """)
            }
        }

        /// The copies' numbers and the last five digits of their ids, in Crockford's base 32.
        func sequence(_ count: Int) -> String {
            let digits = "'0123456789ABCDEFGHJKMNPQRSTVWXYZ'"
            let place = { (shift: Int) in
                "substr(\(digits), CAST(((number >> \(shift)) & 31) + 1 AS INTEGER), 1)"
            }
            let text = [20, 15, 10, 5, 0].map(place).joined(separator: " || ")
            switch self {
            case .sqlite:
                return """
                    CREATE TEMP TABLE copies AS WITH RECURSIVE numbers (number) AS (
                    SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < \(count))
                    SELECT number, \(text) AS suffix FROM numbers
                    """
            case .postgresql:
                return """
                    CREATE TEMP TABLE copies AS SELECT number, \(text) AS suffix
                    FROM generate_series(1, \(count)) AS number
                    """
            }
        }

        var randomIdentifier: String {
            switch self {
            case .sqlite: "randomblob(32)"
            case .postgresql: "decode(md5(random()::text) || md5(random()::text), 'hex')"
            }
        }
    }

    /// A table, how its rows of a payment are found, and the columns that must be unique beside the ids.
    private struct Table {
        let name: String
        let condition: String
        var unique: Set<String> = []
        var random: Set<String> = []
    }

    let engine: Engine

    /// - Parameters:
    ///   - templates: the ids of payments that are settled and notified.
    ///   - count: how many copies there are to be in all.
    func fill(from templates: [String], count: Int) async throws {
        let copies = (count + templates.count - 1) / max(1, templates.count)
        var statements = [self.engine.sequence(copies)]
        for template in templates { statements += try await self.statements(template) }
        try await self.engine.execute(statements)
    }

    private func statements(_ payment: String) async throws -> [String] {
        let order = try await self.engine.rows(
            "SELECT order_id FROM payments WHERE id = '\(payment)' AND order_id IS NOT NULL")
        let operations = try await self.engine.rows("SELECT id FROM operations WHERE payment_id = '\(payment)'")
        let events = try await self.engine.rows("SELECT id FROM outbox_events WHERE payment_id = '\(payment)'")
        let ids = [payment] + order + operations + events
        let list = { (ids: [String]) in "IN (" + ids.map { "'\($0)'" }.joined(separator: ", ") + ")" }
        let owned = "payment_id = '\(payment)'"
        let asked = "operation_id \(list(operations))" + (order.isEmpty ? "" : " OR order_id \(list(order))")
        let tables = [
            Table(name: "orders", condition: "id \(list(order))", unique: ["reference"]),
            Table(name: "payments", condition: "id = '\(payment)'"), Table(name: "operations", condition: owned),
            Table(name: "movements", condition: owned),
            Table(name: "journal_entries", condition: owned), Table(name: "postings", condition: owned),
            Table(name: "outbox_events", condition: owned),
            Table(name: "idempotency_claims", condition: asked, unique: ["key"]),
            Table(name: "operation_references", condition: "operation_id \(list(operations))", unique: ["value"]),
            Table(name: "seen_tokens", condition: owned, random: ["transaction_identifier"]),
        ]
        // No copy may have an id that is there.
        let isNew = "suffix NOT \(list(ids.map { String($0.suffix(5)) }))"
        var statements: [String] = []
        for table in tables where !(table.name == "orders" && order.isEmpty) {
            let columns = try await self.engine.columns(of: table.name)
            let values = columns.map { column -> String in
                if table.random.contains(column) { return self.engine.randomIdentifier }
                if table.unique.contains(column) { return "\(column) || '-' || suffix" }
                guard column == "id" || column.hasSuffix("_id") || column == "target",
                    column != "merchant_id", column != "account_id"
                else { return column }
                return ids.reduce(column) { "replace(\($0), '\($1)', '\($1.dropLast(5))' || suffix)" }
            }
            statements.append(
                """
                INSERT INTO \(table.name) (\(columns.joined(separator: ", ")))
                SELECT \(values.joined(separator: ", ")) FROM \(table.name), copies
                WHERE (\(table.condition)) AND \(isNew)
                """)
        }
        return statements
    }
}
