//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import MemoryStore
import Payments
import Redaction
import TestGateway
import Testing
import Time
import WalletSimulator

@testable import Administration
@testable import Gateway

/// Every administrative act leaves its entry, in its own commit.
struct AuditLogTests {
    private func entries(_ shop: Shop) async throws -> [AuditEntry] {
        try await shop.store.read { try $0.auditEntries(after: 0, limit: 1000) }
    }

    private func open(_ store: (any PaymentStore)? = nil) async throws -> Shop {
        try await Shop.open { $0.store = store }.restarted { $0.actor = "alice@db1" }
    }

    @Test func everyActIsWritten() async throws {
        let shop = try await self.open()
        let (gateway, merchant) = (shop.gateway, shop.merchant.merchant.id)
        let before = try await self.entries(shop)
        #expect(
            before.map(\.act) == [.merchantCreate, .acquirerAdd, .routesChange, .accountWrite, .certificateImport])
        #expect(before.allSatisfy { $0.subject == "first" })
        #expect(before.allSatisfy { $0.actor == "gateway" })
        #expect(before[3].details == ["dialect": "testwire", "settings": "city", "secrets": "password"])

        try await gateway.administration.changeSettings(of: merchant, dialect: Shop.dialect) { settings in
            settings["city"] = nil
            settings["country"] = "value-of-the-setting"
        }
        _ = try await gateway.administration.createSigningRequest(
            merchant: merchant, purpose: .merchantIdentity, merchantIdentifier: "merchant.example")
        let sale = try await shop.sell(money(10_00))
        let event = try #require(try await shop.store.read { try $0.events(of: sale.payment.id) }.first)
        try await gateway.administration.resend(event.id)
        try await gateway.administration.note(AuditDraft(.domainAdd, "shop.example", ["merchant": "first"]))
        let key = try await gateway.administration.rotateDataKey()
        var sweep = gateway.administration.sweepKeys()
        try await sweep.run()
        let retired = try #require(try await gateway.administration.retireDataKeys(graceSeconds: 0).retired.first)
        _ = try await gateway.administration.changeMasterKey(to: Redacted([UInt8](repeating: 3, count: 32)))

        let entries = try await self.entries(shop).dropFirst(before.count)
        #expect(
            entries.map(\.act) == [
                .settingsChange, .signingRequest, .webhookResend, .domainAdd, .dataKeyRotate, .dataKeyRetire,
                .masterKeyRotate,
            ])
        #expect(
            entries.map(\.subject) == ["first", "first", event.id.text, "shop.example", key, retired, ""])
        #expect(entries.allSatisfy { $0.actor == "alice@db1" && $0.at == shop.clock.now })
        #expect(entries.first?.details == ["dialect": "testwire", "settings": "city country"])
        #expect(!"\(entries)".contains("value-of-the-setting"))
        #expect(!"\(entries)".contains("correct horse"))
        let report = try await gateway.administration.checkAuditLog()
        #expect(report.isSound && report.entriesCount == Int64(before.count + entries.count))
        #expect(report.head == entries.last?.digest)
        #expect(try await gateway.administration.auditHead() == (report.entriesCount, report.head))
    }

    @Test func actThatChangesNothingOrIsRefusedLeavesNoEntry() async throws {
        let shop = try await self.open()
        let before = try await self.entries(shop).count
        try await shop.gateway.administration.changeSettings(of: shop.merchant.merchant.id, dialect: Shop.dialect) {
            _ in
        }
        _ = try await shop.gateway.administration.retireDataKeys(graceSeconds: 0)
        await #expect(throws: AdministrationError.self) {
            _ = try await shop.gateway.administration.createMerchant(
                name: "first", displayName: "First", mode: .sandbox, countryCode: "CA")
        }
        await #expect(throws: (any Error).self) {
            try await shop.gateway.administration.changeSettings(of: shop.merchant.merchant.id, dialect: Shop.dialect) {
                settings in
                settings["a"] = "b"
                throw GatewayRefusal.storeUnavailable
            }
        }
        #expect(try await self.entries(shop).count == before)
    }

    @Test func actWhoseEntryCannotBeWrittenIsNotDone() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await self.open(store)
        store.failRecords(of: "AuditEntry")
        await #expect(throws: StoreError.self) { _ = try await Shop.makeMerchant("second", .sandbox, shop.gateway) }
        store.failRecords(of: nil)
        #expect(try await shop.store.read { try $0.merchant(named: "second") } == nil)
    }

    @Test func headThatWasNotedMustBeThere() async throws {
        let shop = try await self.open()
        let head = try await shop.gateway.administration.auditHead()
        _ = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        #expect(try await shop.gateway.administration.checkAuditLog(knownHead: head.digest).isSound)
        #expect(try await shop.gateway.administration.checkAuditLog(knownHead: AuditEntry.noDigest).isSound)
        let other = try await shop.gateway.administration.checkAuditLog(knownHead: [UInt8](repeating: 1, count: 32))
        #expect(!other.isSound && other.hasKnownHead == false && other.firstBreak == nil)
    }

    /// What somebody with the database writes himself: entries that follow each other, and no key.
    @Test func entryOfAnotherKeyIsFound() async throws {
        let shop = try await self.open()
        let last = try await self.entries(shop).last
        let forged = AuditEntry(
            number: 6, at: shop.clock.now, actor: "mallory@db1", act: .merchantCreate, subject: "x", details: [:],
            previousDigest: try #require(last).digest, digest: [UInt8](repeating: 7, count: 32))
        try await shop.store.write { try $0.append(forged) }
        let report = try await shop.gateway.administration.checkAuditLog()
        #expect(report.firstBreak == AuditReport.Break(number: 6, reason: .changed))
        #expect(report.entriesCount == 5)
    }

    @Test func logWithoutItsKeyTakesNoEntry() async throws {
        let shop = try await self.open()
        let emptied = MemoryStore()
        let (keys, entries) = try await shop.store.read {
            (try $0.dataKeys(), try $0.auditEntries(after: 0, limit: 9))
        }
        try await emptied.write { transaction in
            for key in keys { try transaction.insert(key) }
            for entry in entries { try transaction.append(entry) }
        }
        let restarted = try await shop.restarted { $0.store = emptied }
        #expect(
            try await restarted.gateway.administration.checkAuditLog().firstBreak
                == AuditReport.Break(number: 1, reason: .keyMissing))
        await #expect(throws: VaultError(code: .auditKeyMissing)) {
            try await restarted.gateway.administration.note(AuditDraft(.domainAdd, "shop.example"))
        }
    }

    @Test func emptyLogIsSoundAndOneThatWasEmptiedIsNot() async throws {
        let parts = try await self.open().parts
        let store = MemoryStore()
        var other = parts
        other.store = store
        let gateway = try await Gateway.start(other)
        #expect(try await gateway.administration.checkAuditLog().isSound)
        try await gateway.administration.note(AuditDraft(.domainAdd, "shop.example"))
        let (keys, secret) = try await store.read { (try $0.dataKeys(), try $0.storeSecret("audit")) }
        let sealed = try #require(secret)
        let emptied = MemoryStore()
        try await emptied.write { transaction in
            for key in keys { try transaction.insert(key) }
            try transaction.insertStoreSecret("audit", sealed)
        }
        other.store = emptied
        let report = try await Gateway.start(other).administration.checkAuditLog()
        #expect(report.firstBreak == AuditReport.Break(number: 1, reason: .emptied))
    }

    /// The store as it is, without log and key: whoever can write to the database takes both.
    private func wiped(_ shop: Shop) async throws -> Gateway {
        let store = MemoryStore()
        let (keys, merchants) = try await shop.store.read { (try $0.dataKeys(), try $0.merchants()) }
        try await store.write { transaction in
            for key in keys { try transaction.insert(key) }
            for merchant in merchants { try transaction.insert(merchant) }
        }
        var parts = shop.parts
        parts.store = store
        return try await Gateway.start(parts)
    }

    @Test func logThatIsGoneWithItsKeyIsMissedWhereMerchantsAre() async throws {
        let gateway = try await self.wiped(try await self.open())
        let report = try await gateway.administration.checkAuditLog()
        #expect(!report.isSound)
        #expect(report.firstBreak == AuditReport.Break(number: 1, reason: .emptied))
    }

    @Test func logThatWasBegunAnewIsFound() async throws {
        let gateway = try await self.wiped(try await self.open())
        _ = try await Shop.makeMerchant("second", .sandbox, gateway)
        let report = try await gateway.administration.checkAuditLog()
        #expect(report.firstBreak == AuditReport.Break(number: 1, reason: .begunAnew))
        #expect(report.entriesCount > 0)
    }

    @Test func entriesDigestedBytesDiffer() {
        func bytes(_ actor: String, _ subject: String, _ details: [String: String]) -> [UInt8] {
            AuditEntry(
                number: 1, at: TestAuthorities.start, actor: actor, act: AuditAct("a"), subject: subject,
                details: details, previousDigest: AuditEntry.noDigest, digest: []
            ).digestedBytes
        }
        let all = [
            bytes("ab", "c", [:]), bytes("a", "bc", [:]), bytes("a", "b", ["c": ""]), bytes("a", "b", ["": "c"]),
            bytes("a", "b", ["c": "d", "e": "f"]), bytes("a", "b", ["c": "de", "": "f"]),
        ]
        #expect(Set(all).count == all.count)
        #expect(bytes("a", "b", ["x": "1", "y": "2"]) == bytes("a", "b", ["y": "2", "x": "1"]))
    }
}
