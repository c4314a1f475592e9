//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CLibPQ
import Payments

/// Brings a database's tables up to date.
///
/// `schema_migrations` says which steps a database has taken. Each step is one transaction; a session's advisory lock
/// lets one node at a time look and step, so that any number may start at once.
///
/// **Nodes of the last version go on working while and after a node of this version steps** (a rolling upgrade): a step
/// only adds. It may make tables, indexes, and columns that may be NULL or have a default; it never renames or drops
/// what the last version reads or writes, nor forbids what that writes. What nobody needs any more is dropped a version
/// later. A node that starts on a database with steps that it does not know refuses it: what it would have to obey is
/// more than it knows.
struct Migrator {
    /// Names the lock: "POMA" and "schm".
    private static let lockKey: Int64 = 0x504F_4D41_7363_686D
    private static let timeoutMilliseconds = 300_000

    private let address: ServerAddress
    private let steps: [SchemaStep]

    init(_ address: ServerAddress, steps: [SchemaStep] = schemaSteps) {
        self.address = address
        self.steps = steps
    }

    /// - Throws: ``StoreError/unavailable(_:)`` for another program's database or a later version's.
    func bringUpToDate() throws(StoreError) {
        let session = try SimpleSession(self.address, timeoutMilliseconds: Self.timeoutMilliseconds)
        try session.run("SELECT set_config('lock_timeout', '\(Self.timeoutMilliseconds)', false)")
        try session.run("SELECT pg_advisory_lock(\(Self.lockKey))")
        let takenCount = try self.takenCount(session)
        for (index, step) in self.steps.enumerated().dropFirst(takenCount) {
            try session.run(
                """
                BEGIN;
                CREATE TABLE IF NOT EXISTS schema_migrations (
                    number bigint PRIMARY KEY,
                    name text NOT NULL,
                    taken_at timestamptz NOT NULL DEFAULT now()
                );
                \(step.sql)
                INSERT INTO schema_migrations (number, name) VALUES (\(index + 1), '\(step.name)');
                COMMIT;
                """)
        }
        // The lock ends with the session.
    }

    /// The names of the steps that ``bringUpToDate()`` would take.
    /// - Throws: ``StoreError/unavailable(_:)`` for another program's database or a later version's.
    func missingSteps() throws(StoreError) -> [String] {
        let session = try SimpleSession(self.address, timeoutMilliseconds: Self.timeoutMilliseconds)
        let takenCount = try self.takenCount(session)
        return self.steps.enumerated().dropFirst(takenCount).map { "\($0.offset + 1) \($0.element.name)" }
    }

    /// - Throws: ``StoreError/unavailable(_:)`` when it is not exactly this version's.
    func checkIsUpToDate() throws(StoreError) {
        let session = try SimpleSession(self.address, timeoutMilliseconds: Self.timeoutMilliseconds)
        let takenCount = try self.takenCount(session)
        guard takenCount > 0 else { throw .unavailable("the database is no Pomona database; it is empty") }
        guard takenCount == self.steps.count else {
            throw .unavailable(
                "an earlier version of this program has made the database; start the gateway to bring it up to date")
        }
    }

    /// How many of the steps the database has taken.
    private func takenCount(_ session: SimpleSession) throws(StoreError) -> Int {
        let tables = try session.rows(
            """
            SELECT c.relname FROM pg_class c
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
                AND NOT EXISTS (
                    SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
            """)
        guard tables.contains(["schema_migrations"]) else {
            guard tables.isEmpty else {
                throw .unavailable("the database is another program's; give this one a database of its own")
            }
            return 0
        }
        let columns = try session.rows(
            """
            SELECT attname FROM pg_attribute
            WHERE attrelid = 'schema_migrations'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
            """)
        guard columns == [["number"], ["name"], ["taken_at"]] else {
            throw .unavailable("the database is another program's; give this one a database of its own")
        }
        let taken = try session.rows("SELECT number, name FROM schema_migrations ORDER BY number")
        let known = self.steps.enumerated().map { ["\($0.offset + 1)", $0.element.name] }
        let common = zip(taken, known).prefix { $0 == $1 }.count
        guard common == min(taken.count, known.count) else {
            throw .unavailable("the database's tables are not this program's; give it a database of its own")
        }
        guard taken.count <= known.count else {
            throw .unavailable("a later version of this program has changed the database; use that version")
        }
        return taken.count
    }
}

/// A connection for plain statements, one after the other, each waited for.
private final class SimpleSession {
    private let handle: OpaquePointer

    init(_ address: ServerAddress, timeoutMilliseconds: Int) throws(StoreError) {
        self.handle = try address.connect(statementTimeoutMilliseconds: timeoutMilliseconds)
    }

    deinit {
        PQfinish(self.handle)
    }

    func run(_ sql: String) throws(StoreError) {
        _ = try self.rows(sql)
    }

    /// The rows as text.
    func rows(_ sql: String) throws(StoreError) -> [[String]] {
        guard let result = PQexec(self.handle, sql) else { throw .unavailable("there is not enough memory") }
        defer { PQclear(result) }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
            return (0..<PQntuples(result)).map { row in
                (0..<PQnfields(result)).map { column in
                    PQgetvalue(result, row, column).map { String(cString: $0) } ?? ""
                }
            }
        default:
            switch ServerError(result).meaning {
            case .failure(let failure): throw failure
            case .refusal(let refusal): throw refusal
            case .runAgain: throw .unavailable("others were in the way of the change of the tables; start again")
            }
        }
    }
}
