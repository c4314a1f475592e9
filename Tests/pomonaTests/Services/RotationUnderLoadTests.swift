//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation
import Gateway
import Logging
import Payments
import PostgreSQLStore
import Redaction
import SQLiteStore
import TestPostgres
import Testing
import Time

@testable import pomona

/// Two gateways that seal and open without pause, while the data key under them is changed again and again and without
/// any grace: nothing is lost, and nothing fails.
@Suite(.timeLimit(.minutes(5))) struct RotationUnderLoadTests {
    private static let dialect = DialectName("testwire")
    private static let itemsCount = 30
    private static let workersCount = 4
    private static let rotationsCount = 4

    private static func gateway(on store: any PaymentStore) async throws -> Gateway {
        let now = Timestamp(milliseconds: 1_781_524_800_000)
        return try await Gateway.start(
            GatewayParts(
                store: store, connectors: [], masterKeys: .fixed(Redacted([UInt8](repeating: 7, count: 32))),
                settings: GatewaySettings(accountCacheSeconds: 0, ownsStore: false), clock: { now },
                random: Surroundings.system.random, sleep: { _ in },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    }

    @Test func onPostgreSQL() async throws {
        let server = try await PostgresServer.shared()
        let url = Redacted(server.url(database: try await server.makeDatabase()))
        let (one, other) = (try await PostgreSQLStore.open(url: url), try await PostgreSQLStore.open(url: url))
        try await Self.rotateUnderLoad(one, other)
        await one.close()
        await other.close()
    }

    @Test func onSQLite() async throws {
        let folder = try CliFolder()
        let store = try SQLiteStore.open(path: folder.file("pomona.sqlite"))
        try await Self.rotateUnderLoad(store, store)
        try await store.close()
    }

    private static func rotateUnderLoad(_ one: any PaymentStore, _ other: any PaymentStore) async throws {
        let gateways = [try await self.gateway(on: one), try await self.gateway(on: other)]
        let merchant = try await gateways[0].administration.createMerchant(
            name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "CA")
        try await gateways[0].administration.putAccount(
            merchant: merchant.id, dialect: self.dialect, key: "shop", settings: ["n": "0"],
            secrets: ["password": Redacted("correct horse")])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, gateway) in gateways.enumerated() {
                for worker in 0..<self.workersCount {
                    group.addTask { try await self.work(gateway, "\(number)-\(worker)", merchant.id) }
                }
            }
            group.addTask {
                for round in 0..<self.rotationsCount {
                    // Each of the gateways is the one that has not heard of it.
                    try await self.rotate(gateways[round % 2])
                }
            }
            try await group.waitForAll()
        }
        try await self.rotate(gateways[0])
        let (keys, sealing) = try await other.read { reader in
            (try DataKeyStatus.all(in: reader), try SealedPlace.Kind.allCases.flatMap { try reader.sealingKeys($0) })
        }
        #expect(keys.count == 1)
        #expect(Set(sealing) == [keys[0].id])
        // The items, the account's password and the seal of its settings, and the audit log's secret.
        #expect(keys[0].sealedCount == 2 * self.workersCount * self.itemsCount + 3)
        #expect(try await gateways[1].administration.checkAuditLog().isSound)
    }

    private static func rotate(_ gateway: Gateway) async throws {
        try await gateway.administration.rotateDataKey()
        for _ in 0..<100 {
            var sweep = gateway.administration.sweepKeys(batchCount: 8)
            try await sweep.run()
            #expect(sweep.damagedCounts.isEmpty)
            if try await gateway.administration.retireDataKeys(graceSeconds: 0).stillNeeded.isEmpty { return }
        }
        Issue.record("the old key is never free of values")
    }

    /// Seals and opens; and reads and writes an account, whose secrets go along as they are.
    private static func work(_ gateway: Gateway, _ name: String, _ merchant: MerchantID) async throws {
        for number in 0..<self.itemsCount {
            let account = try #require(try await gateway.account(dialect: self.dialect, key: "shop"))
            #expect(account.matches(Redacted("correct horse"), secret: "password"))
            let (id, content) = ("\(name)-\(number)", Redacted(Array("content \(name) \(number)".utf8)))
            try await gateway.keep(
                content, kind: "session", id: id, lifetimeSeconds: 3600, merchant: account, replacing: nil)
            if number.isMultiple(of: 5) {
                try await gateway.administration.changeSettings(of: merchant, dialect: self.dialect) { $0["n"] = id }
            }
            let earlier = "\(name)-\(number / 2)"
            let kept = try await gateway.kept(kind: "session", id: earlier, merchant: account)
            #expect(kept?.content.reveal() == Array("content \(name) \(number / 2)".utf8))
        }
    }
}
