//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import PostgreSQLStore
import Redaction
import TestPostgres

extension PostgreSQLSettings {
    /// With limits of time that a machine with much else to do does not reach. Tests of a limit set that one anew.
    static var patient: PostgreSQLSettings {
        var settings = PostgreSQLSettings()
        settings.callTimeoutMilliseconds = 120_000
        settings.lockTimeoutMilliseconds = 60_000
        settings.statementTimeoutMilliseconds = 60_000
        settings.idleInTransactionTimeoutMilliseconds = 120_000
        return settings
    }
}

/// A database of its own for one test, on the server that all tests share.
struct TestDatabase: Sendable {
    let server: PostgresServer
    let name: String

    private static let template = Task<String, any Error> {
        let server = try await PostgresServer.shared()
        let name = try await server.makeDatabase()
        let store = try await PostgreSQLStore.open(
            url: Redacted(server.url(database: name)), settings: .patient)
        await store.close()
        return name
    }

    /// A database with this version's tables, all empty.
    static func make() async throws -> TestDatabase {
        let server = try await PostgresServer.shared()
        return TestDatabase(server: server, name: try await server.makeDatabase(copyOf: self.template.value))
    }

    /// A database without tables.
    static func makeEmpty(on server: PostgresServer? = nil) async throws -> TestDatabase {
        let place: PostgresServer
        if let server { place = server } else { place = try await PostgresServer.shared() }
        return TestDatabase(server: place, name: try await place.makeDatabase())
    }

    var url: Redacted<String> { Redacted(self.server.url(database: self.name)) }

    func url(password: String) -> Redacted<String> {
        Redacted(self.server.url(database: self.name, password: password))
    }

    /// Runs SQL as another program would.
    @discardableResult
    func execute(_ sql: String) async throws -> String {
        try await self.server.execute(sql, database: self.name)
    }

    /// Opens a store, runs the body and closes the store.
    func withStore<Value>(
        _ settings: PostgreSQLSettings = .patient, url: Redacted<String>? = nil,
        _ body: (PostgreSQLStore) async throws -> Value
    ) async throws -> Value {
        let store = try await PostgreSQLStore.open(url: url ?? self.url, settings: settings)
        do {
            let value = try await body(store)
            await store.close()
            return value
        } catch {
            await store.close()
            throw error
        }
    }
}

/// Runs a body on a store with an empty database of its own.
@discardableResult
func withStore<Value>(
    _ settings: PostgreSQLSettings = .patient,
    _ body: (PostgreSQLStore, TestDatabase) async throws -> Value
) async throws -> Value {
    let database = try await TestDatabase.make()
    return try await database.withStore(settings) { try await body($0, database) }
}
