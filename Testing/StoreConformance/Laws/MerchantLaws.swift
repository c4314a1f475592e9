//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

extension Trial {
    func merchantsRoundTrip() async throws {
        let merchants = Mode.allCases.map { self.make.merchant(mode: $0) }
        try await self.store.write { transaction in
            // Written youngest first; read oldest first.
            for merchant in merchants.reversed() { try transaction.insert(merchant) }
        }
        for merchant in merchants {
            let found = try await self.store.read {
                (try $0.merchant(merchant.id), try $0.merchant(named: merchant.name))
            }
            try self.expectEqual(found.0, merchant, "merchant by id")
            try self.expectEqual(found.1, merchant, "merchant by name")
        }
        try await self.expectStored(merchants, "all merchants, oldest first") { try $0.merchants() }
    }

    func merchantsAreUpdated() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        for state in Merchant.State.allCases.reversed() {
            // What a merchant is for life is not written, whatever is handed in.
            var changed = Merchant(
                id: merchant.id, name: "another", displayName: "Laden „\(state)“", mode: .live, countryCode: "DE",
                timeZone: "Europe/\(state)", createdAt: self.make.time(), state: state)
            let handedIn = changed
            try await self.store.write { try $0.update(handedIn) }
            changed = merchant
            (changed.displayName, changed.countryCode, changed.state) = ("Laden „\(state)“", "DE", state)
            changed.timeZone = "Europe/\(state)"
            try await self.expectStored(changed, "merchant after an update") { try $0.merchant(merchant.id) }
            try await self.expectStored(changed, "merchant by name after an update") {
                try $0.merchant(named: merchant.name)
            }
            try await self.expectStored([changed, other], "all merchants after an update") { try $0.merchants() }
        }
    }

    func accountsRoundTrip() async throws {
        let merchant = try await self.storedMerchant()
        let sealed = SealedBytes(keyID: "key-1", box: self.make.bytes(60))
        let account = MerchantAccount(
            merchantID: merchant.id, dialect: self.make.dialect, key: "M 1",
            settings: ["publicKey": "-----BEGIN…", "empty": "", "ключ": "значение"],
            secrets: ["privateKey": sealed, "nothing": SealedBytes(keyID: "key-2", box: [])])
        let bare = MerchantAccount(
            merchantID: merchant.id, dialect: DialectName("tappay"), key: "M 1", settings: [:], secrets: [:])
        try await self.store.write { transaction in
            try transaction.upsert(account)
            try transaction.upsert(bare)
        }
        for wanted in [account, bare] {
            let found = try await self.store.read {
                (
                    try $0.account(dialect: wanted.dialect, key: wanted.key),
                    try $0.account(dialect: wanted.dialect, merchant: merchant.id)
                )
            }
            try self.expectEqual(found.0, wanted, "account by key")
            try self.expectEqual(found.1, wanted, "account by merchant")
        }
        let other = try await self.store.read { try $0.account(dialect: wantedNowhere, key: "M 1") }
        try self.expect(other == nil, "an account is found under another dialect")
    }

    func accountsOfAMerchantAreListed() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let accounts = ["radial", "alphapay", "tappay"].map { dialect in
            MerchantAccount(
                merchantID: merchant.id, dialect: DialectName(dialect), key: "key of \(dialect)",
                aliases: ["alias of \(dialect)"], settings: ["dialect": dialect],
                secrets: ["s": SealedBytes(keyID: "key-1", box: self.make.bytes(9))])
        }
        let foreign = MerchantAccount(
            merchantID: other.id, dialect: self.make.dialect, key: "other", settings: [:], secrets: [:])
        try await self.store.write { transaction in
            for account in accounts + [foreign] { try transaction.upsert(account) }
        }
        let wanted = [accounts[1], accounts[0], accounts[2]]
        try await self.expectStored(wanted, "a merchant's accounts by their dialects") {
            try $0.accounts(of: merchant.id)
        }
        try await self.expectStored([foreign], "another merchant's accounts") { try $0.accounts(of: other.id) }
    }

    func accountsAreReplacedWhole() async throws {
        let merchant = try await self.storedMerchant()
        let earlier = MerchantAccount(
            merchantID: merchant.id, dialect: self.make.dialect, key: "old", settings: ["a": "1", "b": "2"],
            secrets: ["x": SealedBytes(keyID: "1", box: [1]), "y": SealedBytes(keyID: "1", box: [2])])
        let later = MerchantAccount(
            merchantID: merchant.id, dialect: self.make.dialect, key: "new", settings: ["b": "3"],
            secrets: ["y": SealedBytes(keyID: "2", box: [3])])
        try await self.store.write { try $0.upsert(earlier) }
        try await self.store.write { try $0.upsert(later) }
        let dialect = self.make.dialect
        let found = try await self.store.read {
            (try $0.account(dialect: dialect, key: "old"), try $0.account(dialect: dialect, key: "new"))
        }
        try self.expect(found.0 == nil, "the earlier key still finds the account")
        try self.expectEqual(found.1, later, "account")
    }

    func accountsAreFoundByTheirAliases() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let dialect = self.make.dialect
        let account = { (owner: Merchant, key: String, aliases: Set<String>) in
            MerchantAccount(
                merchantID: owner.id, dialect: dialect, key: key, aliases: aliases, settings: ["a": "1"], secrets: [:])
        }
        let first = account(merchant, "K", ["A", "B"])
        try await self.store.write { try $0.upsert(first) }
        for name in ["K", "A", "B"] {
            let found = try await self.store.read { try $0.account(dialect: dialect, key: name) }
            try self.expectEqual(found, first, "account by \(name)")
        }
        let elsewhere = try await self.store.read { try $0.account(dialect: wantedNowhere, key: "A") }
        try self.expect(elsewhere == nil, "an alias finds the account of another dialect")
        for (key, aliases) in [("A", []), ("X", ["K"]), ("X", ["Y", "B"])] as [(String, Set<String>)] {
            let taken = account(other, key, aliases)
            try await self.expectRefusal(.duplicate("account key"), "a name of another account: \(key), \(aliases)") {
                try $0.upsert(taken)
            }
        }
        let renamed = account(merchant, "A", ["C"])
        try await self.store.write { try $0.upsert(renamed) }
        let found = try await self.store.read { reader in
            try ["K", "A", "B", "C"].map { try reader.account(dialect: dialect, key: $0) }
        }
        try self.expectEqual(found, [nil, renamed, nil, renamed], "accounts after the names have changed")
        let taker = account(other, "B", ["K"])
        try await self.store.write { try $0.upsert(taker) }
    }

    func appleCredentialsRoundTrip() async throws {
        let merchants = [try await self.storedMerchant(), try await self.storedMerchant()]
        let sealed = SealedBytes(keyID: "key-1", box: self.make.bytes(200))
        var wanted: [AppleCredential] = []
        for merchant in merchants {
            for purpose in AppleCredential.Purpose.allCases {
                for state in AppleCredential.State.allCases {
                    let isCertified = state != .requested
                    wanted.append(
                        AppleCredential(
                            id: "hash \(self.make.number())", merchantID: merchant.id, purpose: purpose,
                            merchantIdentifier: "merchant.com.example.shop",
                            certificatePEM: isCertified ? "-----BEGIN CERTIFICATE-----" : nil,
                            notAfter: isCertified ? self.make.time() : nil, sealedPrivateKey: sealed,
                            createdAt: self.make.time(), state: state))
                }
            }
        }
        let all = wanted
        try await self.store.write { transaction in for credential in all { try transaction.upsert(credential) } }
        try await self.expectStored(all, "all credentials") { try $0.appleCredentials(of: nil) }
        for merchant in merchants {
            let found = try await self.store.read { try $0.appleCredentials(of: merchant.id) }
            try self.expectEqual(found, all.filter { $0.merchantID == merchant.id }, "a merchant's credentials")
        }
        // The same key may serve two merchants; the same key of the same merchant is written over.
        let shared = AppleCredential(
            id: all[0].id, merchantID: merchants[1].id, purpose: .merchantIdentity,
            merchantIdentifier: "merchant.other",
            certificatePEM: nil, notAfter: nil, sealedPrivateKey: sealed, createdAt: self.make.time())
        let renewed = AppleCredential(
            id: all[0].id, merchantID: merchants[0].id, purpose: .merchantIdentity,
            merchantIdentifier: "merchant.renewed",
            certificatePEM: "pem", notAfter: self.make.time(), sealedPrivateKey: SealedBytes(keyID: "key-2", box: [7]),
            createdAt: self.make.time())
        try await self.store.write { transaction in
            try transaction.upsert(shared)
            try transaction.upsert(renewed)
        }
        let found = try await self.store.read { try $0.appleCredentials(of: nil) }
        try self.expectEqual(found, all.dropFirst() + [shared, renewed], "credentials after the renewal")
    }
}
