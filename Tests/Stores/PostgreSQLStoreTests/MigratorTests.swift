//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Synchronization
import TestPostgres
import Testing
import Threads

@testable import PostgreSQLStore

/// How a database that is in use is brought up to date: nodes of the version before pay on.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MigratorTests {
    private static let indexes: [TableIndex] = .ofPages + .ofNames + .ofSearches
    private static let names = Self.indexes.map(\.name)
    private static let namesList = "'\(names.joined(separator: "', '"))'"
    private static let valid = """
        SELECT count(*) FROM pg_index WHERE indisvalid AND indexrelid IN (
            SELECT oid FROM pg_class WHERE relname IN (\(namesList)))
        """

    private static func address(_ database: TestDatabase) throws -> ServerAddress {
        try ServerAddress(url: database.url, settings: PostgreSQLSettings(), isReadOnly: false)
    }

    /// As an earlier version has left it.
    private static func make(before step: String) async throws -> TestDatabase {
        let database = try await TestDatabase.makeEmpty()
        try Migrator(self.address(database), steps: Array(schemaSteps.prefix { $0.name != step })).bringUpToDate()
        return database
    }

    private static func makeWithoutIndexes() async throws -> TestDatabase {
        try await self.make(before: "indexes of pages")
    }

    /// What locks tables that get an index.
    private static let writing = "UPDATE settlement_items SET number = 1; UPDATE outbox_events SET attempts_count = 0"

    @Test func indexesAreMadeBesideThoseWhoWrite() async throws {
        let database = try await Self.makeWithoutIndexes()
        let payer = try SimpleSession(Self.address(database), timeoutMilliseconds: 60_000)
        try payer.rows("BEGIN; \(Self.writing)")
        async let migrated: Void = onOwnThread { try Migrator(Self.address(database)).bringUpToDate() }
        let waits = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'CREATE INDEX CONCURRENTLY%'
            """
        while try await database.execute(waits) == "0" { try Task.checkCancellation() }
        // A table that somebody wants for himself alone would have this one queue behind him.
        try await database.execute(
            "SET lock_timeout = '10s'; \(Self.writing)")
        try payer.rows("COMMIT")
        try await migrated
        #expect(try await database.execute(Self.valid) == "\(Self.names.count)")
        try Migrator(Self.address(database)).checkIsUpToDate()
    }

    /// A payer is let pass, and what he has written stays.
    @Test func keysOfRowsGoOnceNobodyWrites() async throws {
        let database = try await Self.make(before: "rows of payments")
        let keys = """
            SELECT count(*) FROM pg_constraint WHERE contype = 'f'
                AND confrelid IN ('payments'::regclass, 'journal_entries'::regclass)
                AND conrelid IN ('operations'::regclass, 'journal_entries'::regclass, 'postings'::regclass)
            """
        #expect(try await database.execute(keys) == "3")
        let payer = try SimpleSession(Self.address(database), timeoutMilliseconds: 60_000)
        try payer.rows("BEGIN; UPDATE operations SET stan = '1'")
        nonisolated(unsafe) let held = payer
        let pauses = Pauses { _ = try? held.rows("ROLLBACK") }
        try Migrator(Self.address(database), settings: pauses.settings).bringUpToDate()
        #expect(pauses.count == 2)
        #expect(try await database.execute(keys) == "0")
        try await database.withStore { store in
            let sale = try await Sample.storeSale(store)
            #expect(try await store.read { try $0.payment(sale.id) } == sale)
        }
    }

    /// Each waits for the other, where the second one waits within a statement.
    @Test func nodesThatStartTogetherMakeTheIndexesOnce() async throws {
        let database = try await Self.makeWithoutIndexes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await database.withStore { store in _ = try await store.read { try $0.merchants() } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.execute(Self.valid) == "\(Self.names.count)")
        #expect(try await database.execute("SELECT count(*) FROM schema_migrations") == "\(schemaSteps.count)")
    }

    /// An interrupted build leaves an index that is written and not read.
    @Test func interruptedIndexIsMadeAnewAndNoOther() async throws {
        let database = try await Self.makeWithoutIndexes()
        let last = try #require(Self.indexes.last)
        for index in Self.indexes.dropLast(2) + [last] { try await database.execute(index.sql) }
        let oids = "SELECT relname, oid FROM pg_class WHERE relname IN (\(Self.namesList)) ORDER BY relname"
        try await database.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = '\(last.name)'::regclass")
        let before = Set(try await database.execute(oids).split(separator: "\n"))
        try Migrator(Self.address(database)).bringUpToDate()
        let after = Set(try await database.execute(oids).split(separator: "\n"))
        #expect(before.count == Self.names.count - 1 && after.count == Self.names.count)
        #expect(before.subtracting(after).map { $0.split(separator: "|")[0] } == [last.name[...]])
        #expect(try await database.execute(Self.valid) == "\(Self.names.count)")
    }

    /// Pauses take no time, and are counted; what is done at one of them is done once.
    private final class Pauses: Sendable {
        private let state = Mutex((count: 0, now: UInt64(0)))
        private let work: @Sendable () -> Void

        init(_ work: @escaping @Sendable () -> Void = {}) {
            self.work = work
        }

        var count: Int { self.state.withLock { $0.count } }

        var settings: PostgreSQLSettings {
            var settings = PostgreSQLSettings()
            settings.uptimeMilliseconds = { self.state.withLock { $0.now } }
            settings.pause = { milliseconds in
                let count = self.state.withLock { state in
                    state.count += 1
                    state.now += milliseconds
                    return state.count
                }
                if count == 2 { self.work() }
            }
            return settings
        }
    }

    private static let more =
        schemaSteps + [SchemaStep(name: "more", sql: "ALTER TABLE payments ADD COLUMN more bigint;")]

    @Test func tableThatIsInUseIsWaitedForWithPauses() async throws {
        let database = try await TestDatabase.make()
        let reader = try SimpleSession(Self.address(database), timeoutMilliseconds: 60_000)
        try reader.rows("BEGIN; SELECT count(*) FROM payments")
        nonisolated(unsafe) let held = reader
        let pauses = Pauses { _ = try? held.rows("COMMIT") }
        try Migrator(
            Self.address(database), settings: pauses.settings, steps: Self.more,
            patience: Migrator.Patience(lock: 20)
        ).bringUpToDate()
        #expect(pauses.count == 2)
        #expect(try await database.execute("SELECT count(*) FROM schema_migrations WHERE name = 'more'") == "1")
    }

    @Test func tableThatStaysInUseIsNamedAsTheReason() async throws {
        let database = try await TestDatabase.make()
        let reader = try SimpleSession(Self.address(database), timeoutMilliseconds: 60_000)
        try reader.rows("BEGIN; SELECT count(*) FROM payments")
        let migrator = Migrator(
            try Self.address(database), settings: Pauses().settings, steps: Self.more,
            patience: Migrator.Patience(lock: 20, most: 9_000))
        #expect {
            try migrator.bringUpToDate()
        } throws: {
            guard case StoreError.unavailable(let why) = $0 else { return false }
            return why.contains("\"more\"") && why.contains("pg_stat_activity")
        }
        try reader.rows("COMMIT")
        try migrator.bringUpToDate()
        try migrator.checkIsUpToDate()
    }

    @Test func nodeThatStaysBusyIsNamedAsTheReason() async throws {
        let database = try await TestDatabase.make()
        let other = try SimpleSession(Self.address(database), timeoutMilliseconds: 60_000)
        try other.rows("SELECT pg_advisory_lock(\(0x504F_4D41_7363_686D))")
        let pauses = Pauses()
        #expect {
            try Migrator(Self.address(database), settings: pauses.settings).bringUpToDate()
        } throws: {
            "\($0)".contains("another node is still bringing")
        }
        #expect(pauses.count == 1_500)
    }

    /// What each page leaves is what one statement leaves, however often it begins anew.
    @Test func rowsAreChangedPageByPage() async throws {
        let database = try await TestDatabase.make()
        try await database.withStore { _ = try await Sample.storeSale($0) }
        // Of ten payments each, one whose operation is open, one whose ended at once, and one that had a version between.
        try await database.execute(
            """
            SET session_replication_role = replica;
            INSERT INTO operations (payment_id, ordinal, id, kind, minor_units, currency, is_final_capture,
                accepts_partial_approval, begun_at, begun_in_version, state, resolved_in_version)
            SELECT 'pay_' || n, 0, 'op_' || n, 'authorization', 1, 'CAD', false, false, 0, 1,
                CASE n % 3 WHEN 0 THEN 'unknown' ELSE 'succeeded' END, CASE n % 3 WHEN 1 THEN 2 WHEN 2 THEN 3 END
            FROM generate_series(1, 30) AS n;
            """)
        let found = "SELECT string_agg(id, ' ' ORDER BY id) FROM operations WHERE left_open_in_version IS NOT NULL"
        let reset = "UPDATE operations SET left_open_in_version = NULL"
        try await database.execute(reset + "; " + PaymentOperation.leftOpenBefore)
        let whole = try await database.execute(found)
        #expect(whole.split(separator: " ").count == 20)
        guard case .pages(let change) = schemaSteps[2].work else { throw StoreError.corrupt("step 3") }
        let step = SchemaStep(
            name: "again",
            .pages(
                PagedChange(table: change.table, column: change.column, rowsMax: 7, sql: change.sql)))
        for reset in [reset, "DELETE FROM schema_migrations WHERE name = 'again'", reset + " WHERE id > 'op_2'"] {
            try await database.execute(reset)
            try await database.execute("DELETE FROM schema_migrations WHERE name = 'again'")
            try Migrator(Self.address(database), steps: schemaSteps + [step]).bringUpToDate()
            #expect(try await database.execute(found) == whole)
        }
    }
}
