//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import MemoryStore
import Money
import Payments
import Redaction
import TestGateway
import Testing
import Time

/// What a dialect keeps for a merchant for a while, sealed.
struct KeptItemTests {
    private static let content = Array("{\"order.amount\":\"10.00\",\"card\":\"4111111111111111\"}".utf8)

    private func keep(
        _ shop: Shop, _ content: [UInt8] = KeptItemTests.content, id: String = "S-1", kind: String = "session",
        lifetime: Int64 = 600, replacing version: Int? = nil, as merchant: MerchantContext? = nil
    ) async throws -> Int {
        try await shop.gateway.keep(
            Redacted(content), kind: kind, id: id, lifetimeSeconds: lifetime, merchant: merchant ?? shop.merchant,
            replacing: version)
    }

    private func kept(
        _ shop: Shop, id: String = "S-1", kind: String = "session", as merchant: MerchantContext? = nil
    ) async throws -> KeptContent? {
        try await shop.gateway.kept(kind: kind, id: id, merchant: merchant ?? shop.merchant)
    }

    private func name(_ shop: Shop, id: String = "S-1") -> KeptItemName {
        KeptItemName(
            merchantID: shop.merchant.merchant.id, dialect: shop.merchant.dialect, kind: "session", id: id)
    }

    @Test func comesBackAsItWasKept() async throws {
        let shop = try await Shop.open()
        #expect(try await self.kept(shop) == nil)
        #expect(try await self.keep(shop) == 1)
        let kept = try #require(try await self.kept(shop))
        #expect(kept.content.reveal() == Self.content)
        #expect(kept.version == 1)
        #expect(kept.createdAt == shop.clock.now)
        #expect(kept.expiresAt == shop.clock.now.adding(seconds: 600))
        let node = try await shop.restarted()
        #expect(try await self.kept(node)?.content.reveal() == Self.content)
    }

    @Test func replacementCountsTheVersionAndProlongsTheTime() async throws {
        let shop = try await Shop.open()
        let start = shop.clock.now
        _ = try await self.keep(shop)
        shop.clock.advance(seconds: 100)
        #expect(try await self.keep(shop, [1], replacing: 1) == 2)
        #expect(try await self.keep(shop, [2], lifetime: 60, replacing: 2) == 3)
        let kept = try #require(try await self.kept(shop))
        #expect(kept.content.reveal() == [2] && kept.version == 3)
        #expect(kept.createdAt == start)
        #expect(kept.expiresAt == shop.clock.now.adding(seconds: 60))
    }

    @Test func wrongVersionIsAConflictAndChangesNothing() async throws {
        let shop = try await Shop.open()
        await expectRefusal(.keptItemConflict, "there is nothing to replace") {
            _ = try await self.keep(shop, replacing: 1)
        }
        _ = try await self.keep(shop)
        _ = try await self.keep(shop, [1], replacing: 1)
        for version in [nil, 1, 3, 0] {
            await expectRefusal(.keptItemConflict) { _ = try await self.keep(shop, [9], replacing: version) }
        }
        #expect(try await self.kept(shop)?.content.reveal() == [1])
    }

    @Test func concurrentReplacementsOfOneVersionMakeOne() async throws {
        let shop = try await Shop.open()
        _ = try await self.keep(shop)
        let won = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 as Range<UInt8> {
                group.addTask {
                    do {
                        return try await self.keep(shop, [number], replacing: 1) == 2
                    } catch {
                        #expect(error as? GatewayRefusal == .keptItemConflict)
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(won == 1)
        #expect(try await self.kept(shop)?.version == 2)
    }

    // MARK: - Its end

    @Test func isGoneWhenItsTimeIsOver() async throws {
        let shop = try await Shop.open()
        _ = try await self.keep(shop)
        shop.clock.advance(seconds: 599)
        #expect(try await self.kept(shop) != nil)
        shop.clock.advance(seconds: 1)
        #expect(try await self.kept(shop) == nil)
        await expectRefusal(.keptItemConflict, "what is gone is not replaced") {
            _ = try await self.keep(shop, replacing: 1)
        }
        #expect(try await self.keep(shop) == 1, "its name is free")
        #expect(try await self.kept(shop)?.createdAt == shop.clock.now)
    }

    @Test func sweepDeletesWhatIsOverAndNothingElse() async throws {
        let shop = try await Shop.open()
        _ = try await self.keep(shop, id: "S-1", lifetime: 60)
        _ = try await self.keep(shop, id: "S-2", lifetime: 61)
        shop.clock.advance(seconds: 60)
        try await shop.gateway.sweep()
        let names = [self.name(shop, id: "S-1"), self.name(shop, id: "S-2")]
        let left = try await shop.store.read { reader in try names.map { try reader.keptItem($0) != nil } }
        #expect(left == [false, true])
        #expect(try await self.kept(shop, id: "S-2") != nil)
    }

    @Test func forgottenItemIsGoneAndItsNameFree() async throws {
        let shop = try await Shop.open()
        _ = try await self.keep(shop)
        _ = try await self.keep(shop, id: "S-2")
        try await shop.gateway.forget(kind: "session", id: "S-1", merchant: shop.merchant)
        try await shop.gateway.forget(kind: "session", id: "S-1", merchant: shop.merchant)
        #expect(try await self.kept(shop) == nil)
        #expect(try await self.kept(shop, id: "S-2") != nil)
        #expect(try await self.keep(shop) == 1)
    }

    // MARK: - Names

    @Test func nameBelongsToOneMerchantOneDialectAndOneKind() async throws {
        let shop = try await Shop.open()
        let other = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        let dialect = DialectName("otherwire")
        try await shop.gateway.administration.putAccount(
            merchant: shop.merchant.merchant.id, dialect: dialect, key: "account", settings: [:], secrets: [:])
        let elsewhere = try #require(try await shop.gateway.account(dialect: dialect, key: "account"))
        _ = try await self.keep(shop)
        #expect(try await self.kept(shop, as: other) == nil)
        #expect(try await self.kept(shop, as: elsewhere) == nil)
        #expect(try await self.kept(shop, kind: "token") == nil)
        try await shop.gateway.forget(kind: "session", id: "S-1", merchant: other)
        #expect(try await self.keep(shop, [2], as: other) == 1)
        #expect(try await self.keep(shop, [3], as: elsewhere) == 1)
        #expect(try await self.keep(shop, [4], kind: "token") == 1)
        #expect(try await self.kept(shop)?.content.reveal() == Self.content)
    }

    // MARK: - Sealed

    @Test func nothingOfItIsReadableInTheStore() async throws {
        let store = InterceptingStore(MemoryStore())
        store.keepRecords()
        let shop = try await Shop.open { $0.store = store }
        _ = try await self.keep(shop)
        let name = self.name(shop)
        let item = try #require(try await shop.store.read { try $0.keptItem(name) })
        #expect(item.content.box.count > Self.content.count, "a tag and a nonce are with it")
        let readable = String(decoding: item.content.box, as: UTF8.self)
        #expect(!readable.contains("4111") && !readable.contains("order.amount"))
        #expect(!store.records.contains { $0.contains("4111111111111111") })
        _ = try await self.keep(shop, replacing: 1)
        let again = try await shop.store.read { try $0.keptItem(name) }
        #expect(again?.content.box != item.content.box, "the same content is sealed anew")
    }

    /// Whoever can write to the store cannot put one session in another's place.
    @Test func boxOpensUnderItsOwnNameAlone() async throws {
        let shop = try await Shop.open()
        _ = try await self.keep(shop, id: "S-1")
        _ = try await self.keep(shop, id: "S-2")
        let (mine, others) = (self.name(shop, id: "S-1"), self.name(shop, id: "S-2"))
        try await shop.store.write { transaction in
            guard let item = try transaction.keptItem(mine) else { return }
            try transaction.upsert(
                KeptItem(
                    name: others, content: item.content, version: item.version, createdAt: item.createdAt,
                    expiresAt: item.expiresAt))
        }
        await expectRefusal(.storeUnavailable) { _ = try await self.kept(shop, id: "S-2") }
        #expect(try await self.kept(shop, id: "S-1") != nil)
    }

    @Test func storeThatFailsIsReported() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        _ = try await self.keep(shop)
        store.plan { _ in .beforeCommit }
        await expectRefusal(.storeUnavailable) { _ = try await self.keep(shop, [1], replacing: 1) }
        await expectRefusal(.storeUnavailable) {
            try await shop.gateway.forget(kind: "session", id: "S-1", merchant: shop.merchant)
        }
        await expectRefusal(.storeUnavailable) { try await shop.gateway.sweep() }
        store.plan { _ in nil }
        store.setReadable(false)
        await expectRefusal(.storeUnavailable) { _ = try await self.kept(shop) }
        store.setReadable(true)
        #expect(try await self.kept(shop)?.content.reveal() == Self.content)
    }
}
