//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import MemoryStore
import PostgreSQLStore
import Redaction
import SQLiteStore
import Simulation
import TestPostgres
import Testing

/// A thousand calls at once on one payment, on every store; some fewer where each waits for a server.
@Suite(.serialized)
struct ConcurrencyTests {
    @Test(arguments: ConcurrencyLaw.allCases)
    func memoryStoreObeys(_ law: ConcurrencyLaw) async throws {
        try await ConcurrencyLaws { try await $0([MemoryStore()]) }.check(law)
    }

    @Test(arguments: ConcurrencyLaw.allCases)
    func sqliteStoreObeys(_ law: ConcurrencyLaw) async throws {
        try await ConcurrencyLaws { check in
            let directory = FileManager.default.temporaryDirectory.appendingPathComponent("pomona-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: directory) }
            let store = try SQLiteStore.open(path: directory.appendingPathComponent("pomona.sqlite").path)
            do {
                try await check([store])
                try await store.close()
            } catch {
                try await store.close()
                throw error
            }
        }.check(law)
    }

    /// Each node has a store of its own, and the database is all that they share.
    @Test(arguments: ConcurrencyLaw.allCases)
    func postgreSQLStoresObey(_ law: ConcurrencyLaw) async throws {
        try await ConcurrencyLaws { check in
            let server = try await PostgresServer.shared()
            let url = Redacted(server.url(database: try await server.makeDatabase()))
            var settings = PostgreSQLSettings()
            // All come at once and one after the other gets at the payment, on a machine that may have much else to do.
            settings.callTimeoutMilliseconds = 120_000
            settings.lockTimeoutMilliseconds = 60_000
            settings.statementTimeoutMilliseconds = 60_000
            let first = try await PostgreSQLStore.open(url: url, settings: settings)
            let second = try await PostgreSQLStore.open(url: url, settings: settings)
            do {
                try await check([first, second])
            } catch {
                await first.close()
                await second.close()
                throw error
            }
            await first.close()
            await second.close()
        }.check(law)
    }

    @Test(
        arguments: [
            (.storeForgetsVersions, .capturesNeverExceedTheAuthorization),
            (.storeForgetsVersions, .refundsNeverExceedTheCapture), (.storeForgetsClaims, .repeatsBookOnce),
            (.storeForgetsTokens, .cryptogramsPayOnce), (.storeForgetsEvents, .capturesNeverExceedTheAuthorization),
        ] as [(PlantedBug, ConcurrencyLaw)])
    func plantedBugsAreFound(_ bug: PlantedBug, by law: ConcurrencyLaw) async throws {
        await #expect(throws: ConcurrencyFailure.self) {
            try await ConcurrencyLaws(callsCount: 150, bug: bug) { try await $0([MemoryStore()]) }.check(law)
        }
    }
}
