//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import MemoryStore
import Payments
import Redaction
import TestGateway
import Testing

@testable import Gateway

/// A data key with random nonces may seal so often and no more.
struct KeyMessagesTests {
    private static func open(_ store: (any PaymentStore)? = nil, log: CapturedLog? = nil) async throws -> Shop {
        try await Shop.open { options in
            options.settings = GatewaySettings(dataKeyMessagesMax: 30, dataKeyMessagesStep: 5, ownsStore: false)
            options.store = store
            options.log = log?.logger
        }
    }

    private func seal(_ count: Int, _ shop: Shop) throws {
        for _ in 0..<count { _ = try shop.gateway.vault.seal(Redacted([1]), context: "test") }
    }

    private func keysCount(_ shop: Shop) async throws -> Int {
        try await shop.store.read { try $0.dataKeys().count }
    }

    private func sealedCount(_ shop: Shop) async throws -> Bool {
        try await shop.store.read { try $0.storeSecret(Gateway.messagesName) } != nil
    }

    @Test func keyIsReplacedWhenItHasSealedEnough() async throws {
        let log = CapturedLog()
        let shop = try await Self.open(log: log)
        let first = shop.gateway.vault.currentKeyID
        for _ in 0..<3 {
            try self.seal(6, shop)
            try await shop.gateway.countSealedMessages()
        }
        #expect(try await self.keysCount(shop) == 1)
        try self.seal(12, shop)
        try await shop.gateway.countSealedMessages()
        #expect(try await self.keysCount(shop) == 2)
        #expect(shop.gateway.vault.currentKeyID != first)
        #expect(log.lines.contains { $0.contains("a data key has sealed enough") && $0.contains(first) })
        // The new one begins with none, and what the old one has sealed still opens.
        try self.seal(10, shop)
        try await shop.gateway.countSealedMessages()
        #expect(try await self.keysCount(shop) == 2)
        #expect(try await shop.gateway.account(dialect: Shop.dialect, key: "account-first") != nil)
        #expect(try await shop.gateway.administration.checkAuditLog().isSound)
    }

    @Test func nodesAndRestartsAddToOneCount() async throws {
        let shop = try await Self.open()
        for round in 0..<4 {
            #expect(try await self.keysCount(shop) == 1, "\(round)")
            let node = try await shop.restarted()
            try self.seal(8, node)
            try await node.gateway.countSealedMessages()
        }
        #expect(try await self.keysCount(shop) == 2)
    }

    @Test func fewAreNotWorthAWrite() async throws {
        let shop = try await Self.open()
        let node = try await shop.restarted()
        try self.seal(4, node)
        try await node.gateway.countSealedMessages()
        #expect(try await self.sealedCount(shop) == false)
        try self.seal(1, node)
        try await node.gateway.countSealedMessages()
        #expect(try await self.sealedCount(shop))
    }

    @Test func countThatIsSpoiledIsAsGoodAsTheHighest() async throws {
        let shop = try await Self.open()
        try self.seal(5, shop)
        try await shop.gateway.countSealedMessages()
        try await shop.store.write { transaction in
            guard let sealed = try transaction.storeSecret(Gateway.messagesName) else { return }
            let place = SealedPlace.storeSecret(name: Gateway.messagesName)
            try transaction.reseal(
                SealedValue(place: place, bytes: sealed), as: SealedBytes(keyID: sealed.keyID, box: [1, 2, 3]))
        }
        try self.seal(5, shop)
        try await shop.gateway.countSealedMessages()
        #expect(try await self.keysCount(shop) == 2)
    }

    @Test func whatCouldNotBeAddedIsAddedLater() async throws {
        let log = CapturedLog()
        let store = InterceptingStore(MemoryStore())
        let shop = try await Self.open(store, log: log)
        try self.seal(40, shop)
        store.plan { _ in .beforeCommit }
        await #expect(throws: StoreError.self) { try await shop.gateway.countSealedMessages() }
        #expect(log.lines.contains { $0.contains("sealed messages cannot be counted") })
        store.plan { _ in nil }
        #expect(try await self.keysCount(shop) == 1)
        try await shop.gateway.countSealedMessages()
        #expect(try await self.keysCount(shop) == 2)
    }

    @Test func standardEndsLongBeforeTheBoundOfGCM() {
        #expect(GatewaySettings().dataKeyMessagesMax < 1 << 31)
        #expect(GatewaySettings().dataKeyMessagesStep < 1 << 20)
    }
}
