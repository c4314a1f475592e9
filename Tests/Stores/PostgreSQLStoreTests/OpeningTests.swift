//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import TestPostgres
import Testing
import Time

@testable import PostgreSQLStore

@Suite(.serialized, .timeLimit(.minutes(5))) struct OpeningTests {
    private static let steps = """
        1|tables
        2|outcomes left open
        3|outcomes left open before
        4|nodes of alarms
        5|indexes of pages
        6|indexes of names
        7|rows of payments
        8|parts of settlement files
        9|indexes of searches
        """

    @Test func nodesThatStartTogetherMakeTheTablesOnce() async throws {
        let database = try await TestDatabase.makeEmpty()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await database.withStore { store in _ = try await store.read { try $0.merchants() } }
                }
            }
            try await group.waitForAll()
        }
        let steps = try await database.execute("SELECT number, name FROM schema_migrations ORDER BY number")
        #expect(steps == Self.steps)
    }

    /// Whoever deletes: no foreign key keeps a row below them from going first.
    @Test(arguments: ["payments", "operations"]) func paymentsAndTheirOperationsStay(_ table: String) async throws {
        try await withStore { store, database in
            let sale = try await Sample.storeSale(store)
            for statement in ["DELETE FROM \(table)", "TRUNCATE \(table)", "TRUNCATE \(table) CASCADE"] {
                await #expect(throws: (any Error).self) { try await database.execute(statement) }
            }
            #expect(try await store.read { try $0.payment(sale.id) } == sale)
        }
    }

    /// What the trigger refuses, whoever deletes.
    @Test func claimsOfTheLastNinetyDaysStay() async throws {
        try await withStore { store, database in
            let sale = try await Sample.storeSale(store)
            try await store.write { try $0.insert(Sample.claim("1", of: sale)) }
            let copy = { (key: String, days: Int) in
                """
                INSERT INTO idempotency_claims SELECT merchant_id, dialect, operation, '\(key)', digest, order_id, payment_id,
                operation_id, (extract(epoch FROM now())::bigint - \(days) * 86400) * 1000 FROM idempotency_claims
                WHERE key = '1'
                """
            }
            try await database.execute(copy("2", 91))
            try await database.execute(copy("3", 89))
            await #expect(throws: (any Error).self) { try await database.execute("DELETE FROM idempotency_claims") }
            await #expect(throws: (any Error).self) {
                try await database.execute("UPDATE idempotency_claims SET created_at = 0")
            }
            await #expect(throws: (any Error).self) { try await database.execute("TRUNCATE idempotency_claims") }
            try await database.execute("DELETE FROM idempotency_claims WHERE key <> '3'")
            #expect(try await database.execute("SELECT key FROM idempotency_claims") == "3")
        }
    }

    private func expectRefusal(
        _ text: String, _ open: () async throws -> PostgreSQLStore, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        do {
            await (try open()).close()
            Issue.record("is not refused", sourceLocation: sourceLocation)
        } catch {
            #expect("\(error)".contains(text), "\(error)", sourceLocation: sourceLocation)
            #expect("\(error)".hasPrefix("the store is not available: "), sourceLocation: sourceLocation)
        }
    }

    @Test func refusesTheDatabaseOfALaterVersion() async throws {
        let database = try await TestDatabase.make()
        try await database.execute(
            "INSERT INTO schema_migrations (number, name) "
                + "SELECT max(number) + 1, 'what is to come' FROM schema_migrations")
        await self.expectRefusal("a later version") { try await PostgreSQLStore.open(url: database.url) }
        await self.expectRefusal("a later version") { try await PostgreSQLStore.openBeside(url: database.url) }
        await self.expectRefusal("a later version") { try await PostgreSQLStore.openReadOnly(url: database.url) }
    }

    @Test(arguments: [
        "CREATE TABLE accounts (id int)", "CREATE TABLE schema_migrations (version text)",
        "CREATE TABLE schema_migrations (number bigint, name text, taken_at timestamptz); "
            + "INSERT INTO schema_migrations VALUES (1, 'another program''s', now())",
    ]) func refusesAnotherProgramsDatabase(_ sql: String) async throws {
        let database = try await TestDatabase.makeEmpty()
        try await database.execute(sql)
        await self.expectRefusal("database of its own") { try await PostgreSQLStore.open(url: database.url) }
    }

    /// What an extension has put there is nobody's.
    @Test func takesADatabaseThatHasAnExtension() async throws {
        let database = try await TestDatabase.makeEmpty()
        try await database.execute("CREATE EXTENSION pg_stat_statements")
        await (try PostgreSQLStore.open(url: database.url)).close()
        #expect(try await database.execute("SELECT count(*) FROM pg_class WHERE relname = 'merchants'") == "1")
    }

    @Test func onlyOpenMakesTables() async throws {
        let database = try await TestDatabase.makeEmpty()
        await self.expectRefusal("it is empty") { try await PostgreSQLStore.openBeside(url: database.url) }
        await self.expectRefusal("it is empty") { try await PostgreSQLStore.openReadOnly(url: database.url) }
        #expect(try await database.execute("SELECT count(*) FROM pg_class WHERE relname = 'merchants'") == "0")
    }

    @Test func databaseIsBegunWithItsFirstDataKey() async throws {
        let database = try await TestDatabase.makeEmpty()
        #expect(try await !PostgreSQLStore.isBegun(url: database.url))
        #expect(try await database.execute("SELECT count(*) FROM pg_class WHERE relname = 'data_keys'") == "0")
        await (try PostgreSQLStore.open(url: database.url)).close()
        #expect(try await !PostgreSQLStore.isBegun(url: database.url))
        try await database.withStore { store in
            try await store.write {
                try $0.insert(SealedDataKey(id: "1", box: [6], createdAt: Timestamp(milliseconds: 1)))
            }
        }
        #expect(try await PostgreSQLStore.isBegun(url: database.url))
        let others = try await TestDatabase.makeEmpty()
        try await others.execute("CREATE TABLE data_keys (id int)")
        await #expect(throws: StoreError.self) { try await PostgreSQLStore.isBegun(url: others.url) }
    }

    /// What a version with a further step does to a database of this one, and what each of them thinks of it then.
    @Test func aFurtherStepIsTakenOnceAndKeepsWhatIsThere() async throws {
        let database = try await TestDatabase.make()
        let sale = try await database.withStore { try await Sample.storeSale($0) }
        let address = try ServerAddress(url: database.url, settings: PostgreSQLSettings(), isReadOnly: false)
        let later = Migrator(
            address, steps: schemaSteps + [SchemaStep(name: "more", sql: "CREATE TABLE more (id bigint PRIMARY KEY);")])
        let early = StoreError.unavailable(
            "an earlier version of this program has made the database; bring it up to date with pomona store migrate, or "
                + "by starting the gateway once")
        #expect(throws: early) { try later.checkIsUpToDate() }
        for _ in 0..<2 { try later.bringUpToDate() }
        try later.checkIsUpToDate()
        let steps = try await database.execute("SELECT number, name FROM schema_migrations ORDER BY number")
        #expect(steps == Self.steps + "\n\(schemaSteps.count + 1)|more")
        await self.expectRefusal("a later version") { try await PostgreSQLStore.openBeside(url: database.url) }
        try await database.execute("DELETE FROM schema_migrations WHERE number = \(schemaSteps.count + 1)")
        let found = try await database.withStore { store in try await store.read { try $0.payment(sale.id) } }
        #expect(found == sale)
    }

    @Test func readOnlyStoreReadsAndRefusesWrites() async throws {
        try await withStore { store, database in
            let sale = try await Sample.storeSale(store)
            let reader = try await PostgreSQLStore.openReadOnly(url: database.url)
            #expect(try await reader.read { try $0.payment(sale.id) } == sale)
            await #expect(throws: StoreError.unavailable("the store is open for reading only")) {
                try await reader.write { try $0.insert(Sample.merchant(2)) }
            }
            await reader.close()
        }
    }

    @Test func closedStoreRefuses() async throws {
        let database = try await TestDatabase.make()
        let store = try await PostgreSQLStore.open(url: database.url)
        await store.close()
        await store.close()
        await #expect(throws: StoreError.unavailable("the store is closed")) {
            try await store.read { try $0.merchants() }
        }
        #expect(try await database.execute("SELECT count(*) FROM commit_marks") == "0")
    }

    @Test func errorsCarryNoPassword() async throws {
        let password = "s3cret-w0rd"
        let server = try await PostgresServer.shared()
        for url in [
            server.url(database: "nowhere", password: password),
            "postgresql://u:\(password)@127.0.0.1:1/db?connect_timeout=2",
            "postgresql://u:\(password)@127.0.0.1:notaport/db",
            "postgresql://u@h/db?password=\(password)&bad=\(password)",
            "mysql://u:\(password)@h/db", "\(password)",
        ] {
            var settings = PostgreSQLSettings()
            settings.callTimeoutMilliseconds = 500
            do {
                await (try PostgreSQLStore.open(url: Redacted(url), settings: settings)).close()
                Issue.record("\(url) is not refused")
            } catch {
                #expect(!"\(error)".contains(password))
                #expect(!String(reflecting: error).contains(password))
            }
        }
    }

    /// PostgreSQL's text has no NUL: it is refused where it is written, and not found where it is looked for.
    @Test func textWithNULIsRefusedAndNeverFound() async throws {
        try await withStore { store, _ in
            try await Sample.storeSale(store)
            let refused = Merchant(
                id: Sample.id(2), name: "a\u{0}b", displayName: "", mode: .sandbox, countryCode: "CA",
                createdAt: Sample.now)
            await #expect(
                throws: StoreError.corrupt("a text with a NUL character, which PostgreSQL does not store")
            ) {
                try await store.write { try $0.insert(refused) }
            }
            #expect(try await store.read { try $0.merchant(named: "a\u{0}b") } == nil)
            #expect(try await store.write { try $0.merchant(named: "merchant1\u{0}") } == nil)
        }
    }
}
