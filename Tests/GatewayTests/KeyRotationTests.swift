//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import BaseEncoding
import MemoryStore
import Payments
import Redaction
import Synchronization
import TestGateway
import Testing
import Time

@testable import Gateway

/// New data keys and new master keys, beside gateways that run.
struct KeyRotationTests {
    private static let content = Redacted(Array("4242424242424242".utf8))

    private func keep(_ shop: Shop, _ id: String, by gateway: Gateway? = nil) async throws {
        try await (gateway ?? shop.gateway).keep(
            Self.content, kind: "session", id: id, lifetimeSeconds: 3600, merchant: shop.merchant, replacing: nil)
    }

    private func expectOpens(_ shop: Shop, _ ids: [String], by gateway: Gateway? = nil) async throws {
        for id in ids {
            let kept = try await (gateway ?? shop.gateway).kept(kind: "session", id: id, merchant: shop.merchant)
            #expect(kept?.content.reveal() == Self.content.reveal(), "\(id)")
        }
    }

    private func keys(_ shop: Shop) async throws -> [DataKeyStatus] {
        try await shop.store.read { try DataKeyStatus.all(in: $0) }
    }

    private func sweep(_ shop: Shop) async throws -> KeySweep {
        var sweep = shop.gateway.administration.sweepKeys(batchCount: 2)
        try await sweep.run()
        return sweep
    }

    @Test func everythingIsSealedAnewAndTheOldKeyIsDeleted() async throws {
        let shop = try await Shop.open()
        for number in 1...5 { try await self.keep(shop, "S-\(number)") }
        let before = try await self.keys(shop)
        #expect(before.count == 1 && before[0].isCurrent)
        // Five items, an account's password, the seals of the settings of the merchant's two accounts, a private key, and the
        // audit log's secret.
        #expect(before[0].sealedCount == 10)
        let id = try await shop.gateway.administration.rotateDataKey()
        #expect(try await self.keys(shop).map(\.sealedCount) == [10, 0])
        #expect(try await self.sweep(shop).resealedCount == 10)
        #expect(try await self.keys(shop).map(\.sealedCount) == [0, 10])

        let early = try await shop.gateway.administration.retireDataKeys(graceSeconds: 60)
        #expect(early.retired.isEmpty && early.stillNeeded.isEmpty)
        #expect(
            early.waitsUntil == shop.clock.now.adding(seconds: 60).adding(milliseconds: early.skewMilliseconds(shop)))
        shop.clock.advance(seconds: 61)
        let late = try await shop.gateway.administration.retireDataKeys(graceSeconds: 60)
        #expect(late.retired == [before[0].id] && late.waitsUntil == nil)
        #expect(try await self.keys(shop).map(\.id) == [id])

        for gateway in [shop.gateway, try await shop.restarted().gateway] {
            try await self.expectOpens(shop, (1...5).map { "S-\($0)" }, by: gateway)
        }
        shop.clock.advance(seconds: 60)
        #expect(try await shop.sell(money(10_00)).operation.state == .succeeded)
        #expect(try await shop.gateway.administration.checkAuditLog().isSound)
    }

    /// A node that has not heard of the new key reads what is sealed under it, and seals under it from then on.
    @Test func nodesLearnOfANewKey() async throws {
        let shop = try await Shop.open()
        let other = try await shop.restarted()
        try await shop.gateway.administration.rotateDataKey()
        try await self.keep(shop, "new")
        try await self.keep(shop, "old", by: other.gateway)
        let oldID = try #require(try await self.keys(shop).first).id
        let old = try await shop.store.read { try $0.sealedValues(.keptItem, under: oldID, after: nil, limit: 9) }
        #expect(old.map(\.place) == [.keptItem(Gateway.keptName("session", "old", shop.merchant))])
        try await self.expectOpens(shop, ["new", "old"], by: other.gateway)
        try await self.expectOpens(shop, ["new", "old"])
        try await self.keep(shop, "later", by: other.gateway)
        #expect(try await self.keys(shop).last?.sealedCount == 2)
    }

    /// The race that matters: the old key is gone when a node that knows no other writes what it has sealed.
    @Test func nodeThatSealsUnderADeletedKeySealsAgain() async throws {
        let shop = try await Shop.open()
        let other = try await shop.restarted()
        let id = try await shop.gateway.administration.rotateDataKey()
        _ = try await self.sweep(shop)
        #expect(try await shop.gateway.administration.retireDataKeys(graceSeconds: 0).retired.count == 1)
        try await self.keep(shop, "late", by: other.gateway)
        try await other.gateway.administration.putAccount(
            merchant: shop.merchant.merchant.id, dialect: DialectName("late"), key: "late", settings: [:],
            secrets: ["password": Redacted("hush")])
        let keys = try await self.keys(shop)
        #expect(keys.map(\.id) == [id])
        for kind in SealedPlace.Kind.allCases {
            let sealing = try await shop.store.read { try $0.sealingKeys(kind) }
            #expect(Set(sealing).isSubset(of: [id]))
        }
        try await self.expectOpens(shop, ["late"])
    }

    /// Accounts and keys that were read before a key was deleted are read again.
    @Test func nodeThatMissedARotationGoesOnPaying() async throws {
        let shop = try await Shop.open()
        let other = try await shop.restarted()
        for _ in 0..<2 {
            try await shop.gateway.administration.rotateDataKey()
            _ = try await self.sweep(shop)
            _ = try await shop.gateway.administration.retireDataKeys(graceSeconds: 0)
        }
        #expect(try await other.sell(money(10_00)).operation.state == .succeeded)
        #expect(try await other.gateway.account(dialect: Shop.dialect, key: "account-first") != nil)
    }

    @Test func valueThatWasSealedAfterTheSweepKeepsTheKeyUntilTheNext() async throws {
        let shop = try await Shop.open()
        let other = try await shop.restarted()
        let old = try #require(try await self.keys(shop).first)
        try await shop.gateway.administration.rotateDataKey()
        _ = try await self.sweep(shop)
        try await self.keep(shop, "late", by: other.gateway)
        #expect(try await shop.gateway.administration.retireDataKeys(graceSeconds: 0).stillNeeded == [old.id])
        #expect(try await self.sweep(shop).resealedCount == 1)
        #expect(try await shop.gateway.administration.retireDataKeys(graceSeconds: 0).retired == [old.id])
        try await self.expectOpens(shop, ["late"], by: other.gateway)
    }

    /// A crash between two batches: a new sweep, in another process, does the rest.
    @Test(arguments: 0...9) func sweepIsTakenUpAfterACrash(_ stepsCount: Int) async throws {
        let shop = try await Shop.open()
        for number in 1...3 { try await self.keep(shop, "S-\(number)") }
        try await shop.gateway.administration.rotateDataKey()
        var first = shop.gateway.administration.sweepKeys(batchCount: 1)
        for _ in 0..<stepsCount { _ = try await first.step() }
        let restarted = try await shop.restarted()
        let second = try await self.sweep(restarted)
        #expect(first.resealedCount + second.resealedCount == 8)
        #expect(second.damagedCounts.isEmpty)
        #expect(try await restarted.gateway.administration.retireDataKeys(graceSeconds: 0).retired.count == 1)
        try await self.expectOpens(restarted, ["S-1", "S-2", "S-3"])
    }

    @Test func damagedValueIsReportedAndItsKeyStays() async throws {
        let shop = try await Shop.open()
        try await self.keep(shop, "good")
        let name = Gateway.keptName("session", "bad", shop.merchant)
        let old = try #require(try await self.keys(shop).first).id
        let now = shop.clock.now
        try await shop.store.write {
            try $0.upsert(
                KeptItem(
                    name: name, content: SealedBytes(keyID: old, box: [1, 2, 3]), version: 1, createdAt: now,
                    expiresAt: now.adding(seconds: 60)))
        }
        try await shop.gateway.administration.rotateDataKey()
        let sweep = try await self.sweep(shop)
        #expect(sweep.damagedCounts == [.keptItem: 1])
        #expect(sweep.resealedCount == 6)
        #expect(try await shop.gateway.administration.retireDataKeys(graceSeconds: 0).stillNeeded == [old])
        // With the damaged item's time its key's time is over.
        shop.clock.advance(seconds: 61)
        try await shop.gateway.sweep()
        #expect(try await shop.gateway.administration.retireDataKeys(graceSeconds: 0).retired == [old])
    }

    /// The newest key is the one that was made last, also by a node whose clock is behind.
    @Test func clockThatIsBehindMakesANewestKeyAllTheSame() async throws {
        let shop = try await Shop.open()
        let behind = try await shop.restarted { parts in
            let start = shop.clock.now
            parts.clock = { start.adding(seconds: -3600) }
        }
        let id = try await behind.gateway.administration.rotateDataKey()
        #expect(try await self.keys(shop).last?.id == id)
        try await shop.gateway.reloadKeys()
        try await self.keep(shop, "S")
        #expect(try await self.keys(shop).last?.sealedCount == 1)
    }

    @Test func newMasterKeyOpensAndTheOldOneNoMore() async throws {
        let shop = try await Shop.open()
        try await self.keep(shop, "S")
        let newKey = Redacted([UInt8](repeating: 9, count: 32))
        let source = Mutex([Shop.masterKey])
        let running = try await shop.restarted { $0.masterKeys = MasterKeySource { source.withLock { $0 } } }
        #expect(try await shop.gateway.administration.changeMasterKey(to: newKey) == 1)
        await #expect(throws: VaultError(code: .masterKeyWrong)) { _ = try await shop.restarted() }
        let restarted = try await shop.restarted { $0.masterKeys = .fixed(newKey) }
        #expect(try Administration.opens(newKey, try await shop.store.read { try $0.dataKeys() }))
        #expect(try !Administration.opens(Shop.masterKey, try await shop.store.read { try $0.dataKeys() }))
        // Those that run go on with the data keys that they have.
        for gateway in [shop.gateway, running.gateway, restarted.gateway] {
            try await gateway.reloadKeys()
            try await self.expectOpens(shop, ["S"], by: gateway)
        }
        // A new data key: one that still has the old master key can't open it, and goes on all the same.
        let id = try await restarted.gateway.administration.rotateDataKey()
        await #expect(throws: VaultError(code: .masterKeyWrong)) { try await running.gateway.reloadKeys() }
        // What is sealed under it cannot be served there, which is nobody's wrong password: a shop that is answered 401 gives up.
        #expect(!running.gateway.opensAllKeys && restarted.gateway.opensAllKeys)
        try await restarted.gateway.administration.putAccount(
            merchant: shop.merchant.merchant.id, dialect: DialectName("new"), key: "new", settings: [:],
            secrets: ["password": Redacted("hush")])
        await #expect(throws: GatewayRefusal.storeUnavailable) {
            _ = try await running.gateway.account(dialect: DialectName("new"), key: "new")
        }
        try await self.keep(shop, "T", by: running.gateway)
        try await self.expectOpens(shop, ["S", "T"], by: running.gateway)
        // Then the operator changes the source.
        source.withLock { $0 = [newKey] }
        try await running.gateway.reloadKeys()
        #expect(running.gateway.opensAllKeys)
        #expect(try await running.gateway.account(dialect: DialectName("new"), key: "new") != nil)
        try await self.keep(shop, "U", by: running.gateway)
        let oldID = try #require(try await self.keys(shop).first).id
        #expect(oldID != id)
        let values = try await shop.store.read { try $0.sealedValues(.keptItem, under: oldID, after: nil, limit: 9) }
        #expect(values.count == 2)
    }

    /// While the key is changed either may be the store's.
    @Test func eitherOfTwoMasterKeysMayBeTheStores() async throws {
        let shop = try await Shop.open()
        let newKey = Redacted([UInt8](repeating: 9, count: 32))
        let both = MasterKeySource { [Shop.masterKey, newKey] }
        for _ in 0..<2 {
            let restarted = try await shop.restarted { $0.masterKeys = both }
            try await restarted.gateway.administration.rotateDataKey()
            if try Administration.opens(Shop.masterKey, try await shop.store.read { try $0.dataKeys() }) {
                #expect(try await restarted.gateway.administration.changeMasterKey(to: newKey) == 2)
            }
        }
        #expect(try Administration.opens(newKey, try await shop.store.read { try $0.dataKeys() }))
    }

    @Test func wrongMasterKeysChangeNothing() async throws {
        let shop = try await Shop.open()
        let before = try await shop.store.read { try $0.dataKeys() }
        let wrong = Redacted([UInt8](repeating: 8, count: 32))
        var parts = shop.parts
        let isWrong = Mutex(false)
        parts.masterKeys = MasterKeySource { [isWrong.withLock { $0 } ? wrong : Shop.masterKey] }
        let gateway = try await Gateway.start(parts)
        isWrong.withLock { $0 = true }
        await #expect(throws: VaultError(code: .masterKeyWrong)) {
            _ = try await gateway.administration.changeMasterKey(to: wrong)
        }
        await #expect(throws: VaultError(code: .masterKeyWrong)) { try await gateway.administration.rotateDataKey() }
        isWrong.withLock { $0 = false }
        await #expect(throws: VaultError(code: .masterKeyLength)) {
            _ = try await gateway.administration.changeMasterKey(to: Redacted([1, 2, 3]))
        }
        #expect(try await shop.store.read { try $0.dataKeys() } == before)
    }
}

extension DataKeyRetirement {
    /// A key that is made in the same millisecond as another counts as a millisecond younger.
    fileprivate func skewMilliseconds(_ shop: Shop) -> Int64 {
        self.waitsUntil.map { $0.milliseconds(since: shop.clock.now) - 60_000 } ?? 0
    }
}
