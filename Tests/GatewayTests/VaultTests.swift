//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import MemoryStore
import Payments
import Redaction
import SimulatorAcquirer
import TestGateway
import Testing
import Time

/// Envelope encryption: what is sealed opens with the right key, in its own place, whole; or not at all.
struct VaultTests {
    private static let secret = Redacted(Array("the private key".utf8))
    private static let now = Timestamp(seconds: 1_790_000_000)

    private static func dataKey(_ id: String, master: Redacted<[UInt8]> = Shop.masterKey) throws -> SealedDataKey {
        try Vault.makeDataKey(
            id: id, key: Redacted([UInt8](repeating: 9, count: 32)), masterKey: master, at: self.now)
    }

    private static func expect(_ code: VaultError.Code, _ call: () throws -> Void) {
        do {
            try call()
            Issue.record("accepted, where \(code) is expected")
        } catch {
            #expect((error as? VaultError)?.code == code)
        }
    }

    @Test func sealedSecretOpensInItsPlace() throws {
        let vault = try Vault(masterKey: Shop.masterKey, dataKeys: [Self.dataKey("one")])
        let sealed = try vault.seal(Self.secret, context: "place")
        #expect(try vault.open(sealed, context: "place").reveal() == Self.secret.reveal())
        #expect(sealed.keyID == "one")
        #expect(try vault.seal(Self.secret, context: "place") != sealed, "every seal has a nonce of its own")
    }

    @Test func wrongMasterKeyOpensNothing() throws {
        let keys = try [Self.dataKey("one")]
        Self.expect(.masterKeyWrong) {
            _ = try Vault(masterKey: Redacted([UInt8](repeating: 8, count: 32)), dataKeys: keys)
        }
    }

    @Test(arguments: [0, 16, 31, 33]) func masterKeyHas32Bytes(count: Int) throws {
        let short = Redacted([UInt8](repeating: 7, count: count))
        let keys = try [Self.dataKey("one")]
        Self.expect(.masterKeyLength) { _ = try Vault(masterKey: short, dataKeys: keys) }
        Self.expect(.masterKeyLength) { _ = try Self.dataKey("one", master: short) }
    }

    @Test func movedBoxDoesNotOpen() throws {
        let vault = try Vault(masterKey: Shop.masterKey, dataKeys: [Self.dataKey("one")])
        let sealed = try vault.seal(Self.secret, context: "account/a/password")
        Self.expect(.boxDamaged) { _ = try vault.open(sealed, context: "account/b/password") }
    }

    @Test func movedDataKeyDoesNotOpen() throws {
        let one = try Self.dataKey("one")
        let renamed = SealedDataKey(id: "two", box: one.box, createdAt: one.createdAt)
        Self.expect(.masterKeyWrong) { _ = try Vault(masterKey: Shop.masterKey, dataKeys: [renamed]) }
    }

    @Test func damagedBoxDoesNotOpenWhicheverByteItIs() throws {
        let vault = try Vault(masterKey: Shop.masterKey, dataKeys: [Self.dataKey("one")])
        let sealed = try vault.seal(Self.secret, context: "place")
        for index in sealed.box.indices {
            var box = sealed.box
            box[index] ^= 1
            Self.expect(.boxDamaged) { _ = try vault.open(SealedBytes(keyID: "one", box: box), context: "place") }
        }
        Self.expect(.boxDamaged) { _ = try vault.open(SealedBytes(keyID: "one", box: []), context: "place") }
    }

    @Test func newestDataKeySealsAndOlderOnesStillOpen() throws {
        let one = try Self.dataKey("one")
        let old = try Vault(masterKey: Shop.masterKey, dataKeys: [one]).seal(Self.secret, context: "place")
        let vault = try Vault(masterKey: Shop.masterKey, dataKeys: [one, Self.dataKey("two")])
        #expect(try vault.open(old, context: "place").reveal() == Self.secret.reveal())
        #expect(try vault.seal(Self.secret, context: "place").keyID == "two")
        let rotatedAway = try Vault(masterKey: Shop.masterKey, dataKeys: [Self.dataKey("two")])
        Self.expect(.dataKeyUnknown) { _ = try rotatedAway.open(old, context: "place") }
        Self.expect(.dataKeyUnknown) { _ = try Vault(masterKey: Shop.masterKey, dataKeys: []) }
    }

    @Test func gatewayDoesNotStartWithAnotherStoresMasterKey() async throws {
        let shop = try await Shop.open()
        do {
            _ = try await shop.restarted { $0.masterKeys = .fixed(Redacted([UInt8](repeating: 1, count: 32))) }
            Issue.record("the gateway started")
        } catch {
            #expect((error as? VaultError)?.code == .masterKeyWrong)
        }
    }

    @Test func twoGatewaysThatStartTogetherOnANewStoreShareOneDataKey() async throws {
        let store = MemoryStore()
        let shop = try await Shop.open { $0.store = store }
        async let first = shop.restarted()
        async let second = shop.restarted()
        _ = try await (first, second)
        #expect(try await store.read { try $0.dataKeys() }.count == 1)
    }

    /// The secrets of one account, put into another's row by somebody who may write to the store, open for nobody.
    @Test func accountWhoseSecretsWereMovedIsNotServed() async throws {
        let log = CapturedLog()
        let shop = try await Shop.open { $0.log = log.logger }
        let other = try await Shop.makeMerchant("second", .sandbox, shop.gateway)
        try await shop.store.write { transaction in
            guard let mine = try transaction.account(dialect: Shop.dialect, key: "account-first") else { return }
            try transaction.upsert(
                MerchantAccount(
                    merchantID: other.merchant.id, dialect: Shop.dialect, key: "account-second", settings: [:],
                    secrets: mine.secrets))
        }
        let restarted = try await shop.restarted()
        #expect(try await restarted.gateway.account(dialect: Shop.dialect, key: "account-second") == nil)
        #expect(log.lines.contains { $0.contains("account cannot be opened") })
        #expect(try await restarted.gateway.account(dialect: Shop.dialect, key: "account-first") != nil)
    }
}
