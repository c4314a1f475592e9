//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import PostgreSQLStore
import TestPostgres
import Testing

/// A commit that waits for a synchronous standby, and is not let wait: the server then says that it was made, and only in
/// a notice that there is one copy of it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnreplicatedCommitTests {
    private static let waiting =
        "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = current_database()"

    @Test(arguments: [false, true]) func isNotAcknowledged(isShared: Bool) async throws {
        let server = try await PostgresServer.start()
        let database = try await TestDatabase.makeEmpty(on: server)
        var settings = PostgreSQLSettings()
        settings.connectionsCount = 1
        settings.statementTimeoutMilliseconds = 2000
        if isShared { settings.gatheredMin = 1 }
        try await database.withStore(settings) { store in
            try await store.write { try $0.insert(Sample.merchant(1)) }
            try await self.set("'nobody'", on: server)
            async let count = self.writesUntilRefused(store)
            try await until { try await !database.execute(Self.waiting).isEmpty }
            // Longer than a statement may take: a commit is none.
            try await database.execute("SELECT pg_sleep(2.2)")
            #expect(try await !database.execute(Self.waiting).isEmpty)
            try await database.execute("SELECT pg_cancel_backend(pid) FROM (\(Self.waiting)) waiting")
            let madeCount = try await count
            try await self.set("''", on: server)
            try await store.write { try $0.insert(Sample.merchant(1000)) }
            #expect(try await store.read { try $0.merchants().count } == 1 + madeCount + 1)
        }
        try await server.stop()
    }

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
