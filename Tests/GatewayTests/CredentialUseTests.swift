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
import Time

@testable @_spi(Administration) import Gateway

/// Which credentials are in use is written beside the way of payments, seldom, and with nothing of the credential.
struct CredentialUseTests {
    private static let address = "192.0.2.1"

    private static func seen(_ shop: Shop, at place: String = "password") async throws -> CredentialUse? {
        let id = shop.merchant.merchant.id
        let subject = CredentialUse.subject(Shop.dialect, place)
        return try await shop.store.read { reader in
            try reader.observations(.credentialUse, of: id, subject: subject, limit: 10).first
                .flatMap(CredentialUse.init)
        }
    }

    private static func note(_ shop: Shop, from address: String = Self.address) {
        shop.gateway.noteUse(of: "password", by: shop.merchant, from: address, client: "curl/8.5.0")
    }

    @Test func useIsWrittenByTheWorkerAloneAndAtMostOnceInTenMinutes() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        store.plan { _ in nil }
        Self.note(shop)
        #expect(store.writesCount == 0)
        #expect(try await shop.gateway.writeCredentialUses() == 1)
        let first = try #require(try await Self.seen(shop))
        #expect(first == CredentialUse(at: shop.clock.now, from: Self.address, client: "curl/8.5.0"))
        for second in 1...599 {
            shop.clock.advance(seconds: 1)
            Self.note(shop, from: "192.0.2.\(second % 200)")
            if second.isMultiple(of: 60) { #expect(try await shop.gateway.writeCredentialUses() == 0) }
        }
        #expect(store.writesCount == 1)
        #expect(try await Self.seen(shop) == first)
        // What came last is written then, as it was.
        let last = CredentialUse(at: shop.clock.now, from: "192.0.2.199", client: "curl/8.5.0")
        shop.clock.advance(seconds: 1)
        #expect(try await shop.gateway.writeCredentialUses() == 1)
        #expect(try await Self.seen(shop) == last)
        // Without a use there is nothing to write.
        shop.clock.advance(seconds: 86_400)
        #expect(try await shop.gateway.writeCredentialUses() == 0)
        #expect(store.writesCount == 2)
    }

    @Test func whatTheStoreDoesNotTakeWaitsForTheNextTime() async throws {
        let store = InterceptingStore(MemoryStore())
        let shop = try await Shop.open { $0.store = store }
        Self.note(shop)
        store.plan { _ in .beforeCommit }
        await #expect(throws: StoreError.self) { try await shop.gateway.writeCredentialUses() }
        #expect(try await Self.seen(shop) == nil)
        store.plan { _ in nil }
        #expect(try await shop.gateway.writeCredentialUses() == 1)
        #expect(try await Self.seen(shop) != nil)
    }

    @Test func eachNodeWritesAndTheLatestUseStays() async throws {
        let shop = try await Shop.open()
        let node = try await shop.restarted()
        Self.note(shop)
        shop.clock.advance(seconds: 5)
        Self.note(node, from: "192.0.2.2")
        #expect(try await node.gateway.writeCredentialUses() == 1)
        #expect(try await shop.gateway.writeCredentialUses() == 1)
        #expect(try await Self.seen(shop)?.from == "192.0.2.2")
    }

    /// A node that has the account in memory still takes the old one for the one that counts.
    @Test func useThatWasNotedBeforeARotationIsThatOfTheOldOne() async throws {
        let shop = try await Shop.open()
        Self.note(shop)
        let merchant = shop.merchant.merchant
        try await shop.gateway.administration.putAccount(
            merchant: merchant.id, dialect: Shop.dialect, key: "account-first", settings: ["city": "Toronto"],
            secrets: ["password": Redacted("another one"), "password2": Redacted("correct horse battery staple")])
        #expect(try await shop.gateway.writeCredentialUses() == 1)
        #expect(try await Self.seen(shop) == nil)
        let use = try await Self.seen(shop, at: "password2")
        #expect(use?.from == Self.address)
        // The next time it is replaced, what was seen moves with it; what goes is forgotten.
        try await shop.gateway.administration.putAccount(
            merchant: merchant.id, dialect: Shop.dialect, key: "account-first", settings: ["city": "Toronto"],
            secrets: ["password": Redacted("correct horse battery staple")])
        #expect(try await Self.seen(shop) == use)
        #expect(try await Self.seen(shop, at: "password2") == nil)
        try await shop.gateway.administration.changeSettings(of: merchant.id, dialect: Shop.dialect) {
            $0["city"] = "Montréal"
        }
        #expect(try await Self.seen(shop) == use)
    }

    @Test func useOfWhatIsTheAccountsNoMoreIsNotWritten() async throws {
        let shop = try await Shop.open()
        Self.note(shop)
        try await shop.gateway.administration.putAccount(
            merchant: shop.merchant.merchant.id, dialect: Shop.dialect, key: "account-first", settings: [:],
            secrets: ["password": Redacted("another one")])
        _ = try await shop.gateway.writeCredentialUses()
        #expect(try await Self.seen(shop) == nil)
        // Nor is what the account does not have.
        shop.gateway.noteUse(of: "key", by: shop.merchant, from: nil, client: nil)
        #expect(try await shop.gateway.writeCredentialUses() == 0)
    }

    @Test func whatIsKeptHasNothingOfTheCredential() async throws {
        let shop = try await Shop.open()
        Self.note(shop)
        _ = try await shop.gateway.writeCredentialUses()
        let id = shop.merchant.merchant.id
        let kept = try await shop.store.read {
            try $0.observations(.credentialUse, of: id, subject: nil, limit: 10)
        }
        let wanted = Observation(
            kind: .credentialUse, merchantID: id, subject: "\(Shop.dialect)/password", number: 0, at: shop.clock.now,
            facts: ["from": Self.address, "client": "curl/8.5.0"])
        #expect(kept == [wanted])
    }

    @Test func whatCallersSayIsCutAndCleaned() {
        let use = CredentialUse(
            at: Timestamp(seconds: 0), from: String(repeating: "1", count: 100),
            client: "a\u{0}b\u{1B}[2J\u{202E}c\n\u{2028}ü" + String(repeating: "x", count: 10_000))
        #expect(use.from?.utf8.count == 64)
        #expect(use.client?.hasPrefix("a b [2Jc  üx") == true)
        #expect(use.client.map(\.unicodeScalars.count) == 200)
        let nothing = CredentialUse(at: Timestamp(seconds: 0), from: "", client: "\u{7}")
        #expect(nothing.from == nil && nothing.client == nil)
    }

    @Test func memoryIsBounded() {
        let sightings = CredentialSightings()
        let merchant = MerchantID(at: Timestamp(seconds: 0), random: Array(repeating: 0, count: 10))
        for number in 0..<10_100 {
            let name = CredentialSightings.Name(merchant, Shop.dialect, credential: "\(number)")
            sightings.note(name, at: "password", CredentialUse(at: Timestamp(seconds: 1)))
        }
        let now = Timestamp(seconds: 1)
        let due = sightings.due(at: now, limit: 20_000)
        #expect(due.count == 10_000)
        for sighting in due { sightings.wrote(sighting, at: now) }
        // Those that rest make room.
        #expect(sightings.due(at: now.adding(seconds: 600), limit: 20_000).isEmpty)
        sightings.note(
            CredentialSightings.Name(merchant, Shop.dialect, credential: "new"), at: "password",
            CredentialUse(at: now.adding(seconds: 600)))
        #expect(sightings.due(at: now.adding(seconds: 600), limit: 1).count == 1)
    }
}
