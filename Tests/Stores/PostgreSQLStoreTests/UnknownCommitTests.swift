//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import PostgreSQLStore
import Redaction
import TestPostgres
import Testing

/// The connection is lost while it commits, and nobody has said what became of it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct UnknownCommitTests {
    private struct Setting {
        let store: PostgreSQLStore
        let proxy: TestProxy
        let database: TestDatabase
        let sale: Payment
    }

    /// Runs a test on a store with one connection, through a proxy.
    private func withProxy(
        timeoutMilliseconds: Int? = nil, isShared: Bool = false, _ body: (Setting) async throws -> Void
    ) async throws {
        let database = try await TestDatabase.make()
        let proxy = try TestProxy(serverPort: database.server.port)
        let url = database.server.url(database: database.name).split(separator: ":\(database.server.port)")
            .joined(separator: ":\(proxy.port)")
        var settings = PostgreSQLSettings.patient
        settings.connectionsCount = 1
        if isShared { settings.gatheredMin = 1 }
        if let timeoutMilliseconds { settings.callTimeoutMilliseconds = timeoutMilliseconds }
        try await database.withStore(settings, url: Redacted(url)) { store in
            let sale = try await Sample.storeSale(store)
            try await body(Setting(store: store, proxy: proxy, database: database, sale: sale))
        }
    }

    private func eventIDs(_ setting: Setting) async throws -> Int {
        Int(try await setting.database.execute("SELECT count(*) FROM outbox_events")) ?? -1
    }

    @Test(arguments: [false, true], [false, true])
    func committedCallSucceedsAndRunsOnce(readsFirst: Bool, isShared: Bool) async throws {
        try await self.withProxy(isShared: isShared) { setting in
            let runs = Count()
            let (sale, proxy) = (setting.sale, setting.proxy)
            async let write: Void = setting.store.write { transaction in
                let run = runs.next()
                if readsFirst { _ = try transaction.payment(sale.id) }
                try transaction.insert(Sample.event(run, about: sale))
                if run == 1 { proxy.holdAnswers() }
            }
            try await until { try await self.eventIDs(setting) > 0 }
            proxy.cut()
            try await write
            #expect(runs.value == 1)
            #expect(try await self.eventIDs(setting) == 1)
        }
    }

    @Test(arguments: [false, true], [false, true])
    func commitThatNeverArrivedIsMadeAgain(readsFirst: Bool, isShared: Bool) async throws {
        try await self.withProxy(isShared: isShared) { setting in
            let runs = Count()
            let (sale, proxy) = (setting.sale, setting.proxy)
            async let write: Void = setting.store.write { transaction in
                let run = runs.next()
                if readsFirst { _ = try transaction.payment(sale.id) }
                try transaction.insert(Sample.event(run, about: sale))
                if run == 1 { proxy.holdRequests() }
            }
            try await until { proxy.hasHeldRequests }
            proxy.cut()
            try await write
            #expect(runs.value == 2)
            #expect(try await self.eventIDs(setting) == 1)
        }
    }

    /// The statements of the first run are still on their way while the body is run again, and arrive after it.
    @Test(arguments: [false, true]) func lateCommitDoesNothing(isShared: Bool) async throws {
        try await self.withProxy(isShared: isShared) { setting in
            let runs = Count()
            let (sale, proxy) = (setting.sale, setting.proxy)
            async let write: Void = setting.store.write { transaction in
                let run = runs.next()
                try transaction.insert(Sample.event(run, about: sale))
                if run == 1 { proxy.holdRequests() }
            }
            try await until { proxy.hasHeldRequests }
            proxy.cutClients()
            try await write
            #expect(runs.value == 2)
            proxy.releaseRequests()
            // The server has done with the late statements when their session is gone.
            let sessions = "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(setting.database.name)'"
            try await until { try await setting.database.server.execute(sessions) == "1" }
            let events = try await setting.store.read { try $0.events(of: sale.id) }
            #expect(events.map(\.id) == [Sample.id(2)])
        }
    }

    @Test(arguments: [false, true]) func commitThatNobodyKnowsOfIsReportedAsSuch(isShared: Bool) async throws {
        try await self.withProxy(timeoutMilliseconds: 3000, isShared: isShared) { setting in
            let runs = Count()
            let (sale, proxy) = (setting.sale, setting.proxy)
            async let write: Void = setting.store.write { transaction in
                try transaction.insert(Sample.event(runs.next(), about: sale))
                proxy.holdAnswers()
                proxy.refuseConnections(true)
            }
            try await until { try await self.eventIDs(setting) > 0 }
            proxy.cut()
            do {
                try await write
                Issue.record("is not reported")
            } catch StoreError.unavailable(let text) {
                #expect(text.contains("may or may not have been made"))
            }
            #expect(runs.value == 1)
            proxy.refuseConnections(false)
            #expect(try await setting.store.read { try $0.events(of: sale.id).count } == 1)
        }
    }
}
