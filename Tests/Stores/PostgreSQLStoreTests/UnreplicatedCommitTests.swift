//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import PostgreSQLStore
import Redaction
import TestPostgres
import Testing

/// A commit that waits for a synchronous standby, and is not let wait: the server then says that it was made, and only in
/// a notice that there is one copy of it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnreplicatedCommitTests {
    /// Waits for a commit that waits, sees that it still does after longer than a statement may take, since a commit is
    /// none, and cancels it. In one session, which is there before the commit: the store takes a server for lost that says
    /// nothing for some seconds more (`ServerAddress.connectForPipeline`), and starting programs may take as long.
    private static let watch = """
        SET application_name = 'watcher';
        SET statement_timeout = '2min';
        DO $$
        DECLARE
            waiting int;
        BEGIN
            WHILE waiting IS NULL LOOP
                PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
                SELECT pid INTO waiting FROM pg_stat_activity
                WHERE wait_event = 'SyncRep' AND datname = current_database();
            END LOOP;
            PERFORM pg_sleep(2.2), pg_stat_clear_snapshot();
            IF NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = waiting AND wait_event = 'SyncRep') THEN
                RAISE EXCEPTION 'the commit has not waited';
            END IF;
            PERFORM pg_cancel_backend(waiting);
        END $$;
        """
    private static let watchers = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'watcher'"

    @Test(arguments: [false, true]) func isNotAcknowledged(isShared: Bool) async throws {
        let server = try await PostgresServer.start()
        let database = try await TestDatabase.makeEmpty(on: server)
        var settings = PostgreSQLSettings.patient
        settings.connectionsCount = 1
        settings.statementTimeoutMilliseconds = 2000
        if isShared { settings.gatheredMin = 1 }
        try await database.withStore(settings) { store in
            try await store.write { try $0.insert(Sample.merchant(1)) }
            try await self.set("'nobody'", on: server)
            async let watch = database.execute(Self.watch)
            try await until { try await database.execute(Self.watchers) == "1" }
            let madeCount = try await self.writesUntilRefused(store)
            _ = try await watch
            try await self.set("''", on: server)
            try await store.write { try $0.insert(Sample.merchant(1000)) }
            #expect(try await store.read { try $0.merchants().count } == 1 + madeCount + 1)
        }
        try await server.stop()
    }

    /// Its answer is lost, and with it the notice: that the commit is there does not say that the standby has it.
    @Test(arguments: [false, true]) func isNotAcknowledgedWhereItsAnswerIsLost(isShared: Bool) async throws {
        let server = try await PostgresServer.start()
        let database = try await TestDatabase.makeEmpty(on: server)
        let proxy = try TestProxy(serverPort: server.port)
        let url = server.url(database: database.name).split(separator: ":\(server.port)")
            .joined(separator: ":\(proxy.port)")
        var settings = PostgreSQLSettings.patient
        settings.connectionsCount = 1
        if isShared { settings.gatheredMin = 1 }
        try await database.withStore(settings, url: Redacted(url)) { store in
            try await store.write { try $0.insert(Sample.merchant(1)) }
            try await self.set("'nobody'", on: server)
            let canceller = Task {
                while !Task.isCancelled { _ = try? await database.execute(Self.cancelAll) }
            }
            defer { canceller.cancel() }
            let madeCount = try await self.writesUntilRefused(store)
            let runs = Count()
            async let write: Void = store.write { transaction in
                try transaction.insert(Sample.merchant(1000))
                if runs.next() == 1 { proxy.holdAnswers() }
            }
            let count = "SELECT count(*) FROM merchants"
            // It is seen when its wait has been cancelled.
            try await until { try await database.execute(count) == "\(1 + madeCount + 1)" }
            proxy.cut()
            do {
                try await write
                Issue.record("it is acknowledged")
            } catch StoreError.unavailable(let text) {
                #expect(text.contains("standby") && text.contains("look before trying again"))
            }
            #expect(runs.value == 1)
            try await self.set("''", on: server)
            canceller.cancel()
            await canceller.value
            #expect(try await store.read { try $0.merchants().count } == 1 + madeCount + 1)
        }
        try await server.stop()
    }

    private static let cancelAll = """
        SELECT pg_cancel_backend(pid) FROM pg_stat_activity
        WHERE wait_event = 'SyncRep' AND datname = current_database()
        """

    /// Writes one after the other: the server waits for standbys a moment after it says that it does.
    /// - Returns: how many there are, with the one that was refused.
    private func writesUntilRefused(_ store: PostgreSQLStore) async throws -> Int {
        for number in 2... {
            do {
                try await store.write { try $0.insert(Sample.merchant(number)) }
            } catch StoreError.unavailable(let text) {
                #expect(text.contains("standby") && text.contains("look before trying again"))
                return number - 1
            }
        }
        return 0
    }

    private func set(_ names: String, on server: PostgresServer) async throws {
        try await server.execute("ALTER SYSTEM SET synchronous_standby_names = \(names)")
        try await server.execute("SELECT pg_reload_conf()")
        let expected = names.filter { $0 != "'" }
        try await until { try await server.execute("SHOW synchronous_standby_names") == expected }
    }
}
