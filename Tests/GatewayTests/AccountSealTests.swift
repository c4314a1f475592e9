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

/// What somebody may try who can write to the database and has no key: to be known as a merchant.
struct AccountSealTests {
    private static let key = "account-first"

    /// What is written into the account's row, past the gateway.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (MerchantAccount) -> MerchantAccount

        init(_ name: String, _ apply: @escaping @Sendable (MerchantAccount) -> MerchantAccount) {
            self.testDescription = name
            self.apply = apply
        }
    }

    private static func with(
        _ account: MerchantAccount, aliases: Set<String>? = nil, settings: [String: String]? = nil,
        secrets: [String: SealedBytes]? = nil
    ) -> MerchantAccount {
        MerchantAccount(
            merchantID: account.merchantID, dialect: account.dialect, key: account.key,
            aliases: aliases ?? account.aliases, settings: settings ?? account.settings,
            secrets: secrets ?? account.secrets)
    }

    static let changes = [
        Change("a setting of another value") { Self.with($0, settings: ["city": "Montreal"]) },
        Change("a setting with one code point more") { Self.with($0, settings: ["city": "Toronto\u{301}"]) },
        Change("one setting more") { Self.with($0, settings: ["city": "Toronto", "publicKey": "mine"]) },
        Change("one setting less") { Self.with($0, settings: [:]) },
        Change("a name and a value that run together") { Self.with($0, settings: ["cityT": "oronto"]) },
        Change("an alias") { Self.with($0, aliases: ["alias"]) },
    ]

    private func write(_ change: Change, _ shop: Shop) async throws {
        try await shop.store.write { transaction in
            guard let account = try transaction.account(dialect: Shop.dialect, key: Self.key) else { return }
            try transaction.upsert(change.apply(account))
        }
    }

    private static let unsealing = Change("no seal") { account in
        Self.with(account, secrets: account.secrets.filter { $0.key != AccountSeal.secretName })
    }

    private func context(_ shop: Shop) async throws -> MerchantContext? {
        try await shop.restarted().gateway.account(dialect: Shop.dialect, key: Self.key)
    }

    @Test(arguments: changes)
    func changedSettingIsNotServed(_ change: Change) async throws {
        let log = CapturedLog()
        let shop = try await Shop.open { $0.log = log.logger }
        #expect(try await self.context(shop) != nil)
        try await self.write(change, shop)
        #expect(try await self.context(shop) == nil)
        #expect(log.lines.contains { $0.contains("error") && $0.contains("not as they were sealed") }, "\(log.text)")
        #expect(!log.text.contains("Montreal"))
    }

    @Test func merchantThatWasMadeLiveIsNotServed() async throws {
        let shop = try await Shop.open()
        let (keys, merchant, account) = try await shop.store.read {
            (try $0.dataKeys(), try $0.merchant(named: "first"), try $0.account(dialect: Shop.dialect, key: Self.key))
        }
        let first = try #require(merchant)
        let kept = try #require(account)
        for mode in [Mode.sandbox, .live] {
            let store = MemoryStore()
            try await store.write { transaction in
                for key in keys { try transaction.insert(key) }
                try transaction.insert(
                    Merchant(
                        id: first.id, name: first.name, displayName: first.displayName, mode: mode,
                        countryCode: first.countryCode, createdAt: first.createdAt))
                try transaction.upsert(kept)
            }
            let other = try await shop.restarted { $0.store = store }
            let found = try await other.gateway.account(dialect: Shop.dialect, key: Self.key)
            #expect((found != nil) == (mode == .sandbox))
        }
    }

    @Test func changesThroughTheGatewayAreSealed() async throws {
        let shop = try await Shop.open()
        try await shop.gateway.administration.bindAccounts()
        try await shop.gateway.administration.changeSettings(of: shop.merchant.merchant.id, dialect: Shop.dialect) {
            $0["city"] = "Montreal"
        }
        #expect(try await self.context(shop)?.settings == ["city": "Montreal"])
        try await shop.gateway.administration.webhookSecrets(of: shop.merchant.merchant.id, dialect: Shop.dialect)
        #expect(try await self.context(shop)?.hasWebhookSecret == true)
        #expect(try await self.context(shop)?.hasSecret(AccountSeal.secretName) == false)
        try await shop.gateway.administration.rotateDataKey()
        var sweep = shop.gateway.administration.sweepKeys()
        try await sweep.run()
        _ = try await shop.gateway.administration.retireDataKeys(graceSeconds: 0)
        #expect(try await self.context(shop)?.settings == ["city": "Montreal"])
    }

    /// Else a change of something harmless would seal what somebody has put beside it.
    @Test func changedAccountTakesNoChangeUntilItIsBound() async throws {
        let shop = try await Shop.open()
        let merchant = shop.merchant.merchant.id
        try await self.write(Self.changes[2], shop)
        await #expect(throws: VaultError(code: .accountChanged)) {
            try await shop.gateway.administration.changeSettings(of: merchant, dialect: Shop.dialect) {
                $0["city"] = "Montreal"
            }
        }
        #expect(try await self.context(shop) == nil)
        try await shop.gateway.administration.bindAccount(of: merchant, dialect: Shop.dialect)
        #expect(try await self.context(shop)?.settings == ["city": "Toronto", "publicKey": "mine"])
        let last = try await shop.store.read { try $0.lastAuditEntry() }
        #expect(last?.act == .accountBind && last?.subject == "first")
        await #expect(throws: AdministrationError.self) {
            try await shop.gateway.administration.bindAccount(of: merchant, dialect: DialectName("none"))
        }
    }

    @Test func accountsOfAnOlderVersionAreSealedOnce() async throws {
        let log = CapturedLog()
        let shop = try await Shop.open { $0.log = log.logger }
        try await self.write(Self.unsealing, shop)
        #expect(try await self.context(shop) != nil)
        try await shop.gateway.administration.bindAccounts()
        #expect(log.lines.count { $0.contains("warning") && $0.contains("\"accounts\": 1") } == 1, "\(log.text)")
        let entries = try await shop.store.read { try $0.auditEntries(after: 0, limit: 100) }
        #expect(entries.last?.act == .accountBind && entries.last?.details == ["accounts": "1"])
        try await shop.restarted().gateway.administration.bindAccounts()
        #expect(try await shop.store.read { try $0.auditEntries(after: 0, limit: 100) } == entries)
        #expect(try await self.context(shop) != nil)
        try await self.write(Self.changes[0], shop)
        #expect(try await self.context(shop) == nil)
    }

    @Test func sealThatIsTakenAwayIsMissed() async throws {
        let log = CapturedLog()
        let shop = try await Shop.open { $0.log = log.logger }
        try await shop.gateway.administration.bindAccounts()
        #expect(!log.text.contains("for the first time"))
        try await self.write(Self.unsealing, shop)
        #expect(try await self.context(shop) == nil)
        #expect(log.lines.contains { $0.contains("the seal of the account's settings is gone") })
    }

    /// The seals are gone, and so is what says that there were any; the audit log still has it.
    @Test func bindingThatIsTakenAwayIsFound() async throws {
        let shop = try await Shop.open()
        try await shop.gateway.administration.bindAccounts()
        let store = MemoryStore()
        let (keys, entries, secret) = try await shop.store.read {
            (try $0.dataKeys(), try $0.auditEntries(after: 0, limit: 100), try $0.storeSecret("audit"))
        }
        let sealed = try #require(secret)
        try await store.write { transaction in
            for key in keys { try transaction.insert(key) }
            for entry in entries { try transaction.append(entry) }
            try transaction.insertStoreSecret("audit", sealed)
        }
        let other = try await shop.restarted { $0.store = store }
        await #expect(throws: VaultError(code: .accountBindingGone)) {
            try await other.gateway.administration.bindAccounts()
        }
    }

    @Test func everyRefusalSaysWhatToDo() {
        for code in [VaultError.Code.accountChanged, .accountUnsealed] {
            #expect(VaultError(code: code).description.contains("pomona merchant settings"))
        }
        #expect(VaultError(code: .accountBindingGone).description.contains("audit log"))
    }
}
