//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import TestPostgres

/// Fills a store with copies of the payments that it has: all their rows, under ids of their own, a last place of which
/// counts the copies, and at earlier times. That is quick, and every row is one that the gateway has written, of whatever
/// schema.
struct StoreFilling: Sendable {
    /// A database as SQL sees it.
    enum Engine: Sendable {
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
                    // Copies of many payments are written at many places in turn: two gigabytes of cache. Without a log, for
                    // what fails is thrown away.
                    try database.execute(
                        sql: """
                            PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;
                            PRAGMA cache_size = -2000000; DROP TABLE IF EXISTS copies; BEGIN
                            """)
                    for statement in statements { try database.execute(sql: statement) }
                    try database.execute(sql: "COMMIT; PRAGMA journal_mode = WAL")
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
        func sequence(_ numbers: ClosedRange<Int>) -> String {
            let digits = "'0123456789ABCDEFGHJKMNPQRSTVWXYZ'"
            let place = { (shift: Int) in
                "substr(\(digits), CAST(((number >> \(shift)) & 31) + 1 AS INTEGER), 1)"
            }
            let text = [20, 15, 10, 5, 0].map(place).joined(separator: " || ")
            switch self {
            case .sqlite:
                return """
                    CREATE TEMP TABLE copies AS WITH RECURSIVE numbers (number) AS (
                    SELECT \(numbers.lowerBound) UNION ALL
                    SELECT number + 1 FROM numbers WHERE number < \(numbers.upperBound))
                    SELECT number, \(text) AS suffix FROM numbers
                    """
            case .postgresql:
                return """
                    CREATE TEMP TABLE copies AS SELECT number, \(text) AS suffix
                    FROM generate_series(\(numbers.lowerBound)::bigint, \(numbers.upperBound)) AS number
                    """
            }
        }

        /// Where the rows of a template are kept, apart from the store's own tables. Some of those have no index by which a
        /// payment's rows are found.
        func source(_ template: Int, _ table: String) -> String {
            switch self {
            case .sqlite: "temp.template\(template)_\(table)"
            case .postgresql: "templates.template\(template)_\(table)"
            }
        }

        /// PostgreSQL has a process for each connection: two of them fill two cores.
        var connectionsCount: Int {
            switch self {
            case .sqlite: 1
            case .postgresql: 2
            }
        }

        var preparation: [String] {
            switch self {
            case .sqlite: []
            case .postgresql: ["CREATE SCHEMA IF NOT EXISTS templates"]
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
        /// Rows older than this would be there no longer.
        var keptMilliseconds: Int64?
    }

    /// In one transaction, of all templates.
    private static let copiesAtATime = 5_000
    private static let dayMilliseconds: Int64 = 86_400_000

    private let engine: Engine
    private let spacingMilliseconds: Int64
    /// What copies a template's rows, for the numbers in the table `copies`.
    private let statements: [String]

    /// - Parameters:
    ///   - templates: the ids of payments that are settled and notified.
    ///   - spacingMilliseconds: how much older each copy of a payment is than the one before.
    init(_ engine: Engine, templates: [String], spacingMilliseconds: Int64) async throws {
        (self.engine, self.spacingMilliseconds) = (engine, spacingMilliseconds)
        var (sources, copies) = (engine.preparation, [String]())
        for (number, template) in templates.enumerated() {
            let tables = try await Self.tables(template, engine)
            for table in tables.all {
                let source = engine.source(number, table.name)
                let columns = try await engine.columns(of: table.name)
                sources.append(
                    "CREATE TABLE IF NOT EXISTS \(source) AS SELECT * FROM \(table.name) WHERE \(table.condition)")
                copies.append(
                    Self.copy(source, table, columns, ids: tables.ids, engine, spacingMilliseconds: spacingMilliseconds)
                )
            }
        }
        try await engine.execute(sources)
        self.statements = copies
    }

    /// - Parameters:
    ///   - numbers: which copies of each template are made, from 1.
    ///   - progress: is given how many of them are made.
    func fill(_ numbers: ClosedRange<Int>, progress: (Int) -> Void) async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            var made = 0
            for (index, first) in stride(from: numbers.lowerBound, through: numbers.upperBound, by: Self.copiesAtATime)
                .enumerated()
            {
                if index >= self.engine.connectionsCount, let count = try await group.next() {
                    made += count
                    progress(made)
                }
                let chunk = first...min(first + Self.copiesAtATime - 1, numbers.upperBound)
                group.addTask {
                    try await self.engine.execute([self.engine.sequence(chunk)] + self.statements)
                    return chunk.count
                }
            }
            for try await count in group {
                made += count
                progress(made)
            }
        }
    }

    /// The tables with rows of a payment, and the ids in them that a copy must not have.
    private static func tables(_ payment: String, _ engine: Engine) async throws -> (all: [Table], ids: [String]) {
        let order = try await engine.rows(
            "SELECT order_id FROM payments WHERE id = '\(payment)' AND order_id IS NOT NULL")
        let operations = try await engine.rows("SELECT id FROM operations WHERE payment_id = '\(payment)'")
        let events = try await engine.rows("SELECT id FROM outbox_events WHERE payment_id = '\(payment)'")
        let list = { (ids: [String]) in "IN (" + ids.map { "'\($0)'" }.joined(separator: ", ") + ")" }
        let owned = "payment_id = '\(payment)'"
        let asked = "operation_id \(list(operations))" + (order.isEmpty ? "" : " OR order_id \(list(order))")
        var tables = [
            Table(name: "payments", condition: "id = '\(payment)'"),
            Table(
                name: "operations", condition: owned,
                unique: ["merchant_reference", "acquirer_reference", "network_reference"]),
            Table(name: "movements", condition: owned),
            Table(name: "journal_entries", condition: owned), Table(name: "postings", condition: owned),
            Table(name: "outbox_events", condition: owned, keptMilliseconds: 80 * Self.dayMilliseconds),
            Table(name: "idempotency_claims", condition: asked, unique: ["key"]),
            Table(name: "operation_references", condition: "operation_id \(list(operations))", unique: ["value"]),
            Table(name: "seen_tokens", condition: owned, random: ["transaction_identifier"]),
        ]
        if !order.isEmpty {
            tables.insert(Table(name: "orders", condition: "id \(list(order))", unique: ["reference"]), at: 0)
        }
        return (tables, [payment] + order + operations + events)
    }

    private static func copy(
        _ source: String, _ table: Table, _ columns: [String], ids: [String], _ engine: Engine,
        spacingMilliseconds: Int64
    ) -> String {
        let values = columns.map { column -> String in
            if table.random.contains(column) { return engine.randomIdentifier }
            if table.unique.contains(column) { return "\(column) || '-' || suffix" }
            if column.hasSuffix("_at") { return "\(column) - number * \(spacingMilliseconds)" }
            guard column == "id" || column.hasSuffix("_id") || column == "target",
                column != "merchant_id", column != "account_id"
            else { return column }
            return ids.reduce(column) { "replace(\($0), '\($1)', '\($1.dropLast(5))' || suffix)" }
        }
        // No copy may have an id that is there.
        let taken = ids.map { "'\($0.suffix(5))'" }.joined(separator: ", ")
        let isKept = table.keptMilliseconds.map { " AND number <= \($0 / max(1, spacingMilliseconds))" } ?? ""
        return """
            INSERT INTO \(table.name) (\(columns.joined(separator: ", ")))
            SELECT \(values.joined(separator: ", ")) FROM \(source), copies WHERE suffix NOT IN (\(taken))\(isKept)
            """
    }
}
