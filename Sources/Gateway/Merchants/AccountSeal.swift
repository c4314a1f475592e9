//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
public import Payments
import Redaction

/// Binds what an account's callers are known by to the account: public keys, certificates' digests, addresses and
/// whatever else stands in its settings, its names, and whether its merchant is live.
///
/// All of that can be read in the database, and could be changed there by somebody who can write to it and has no key.
/// So its digest is among the account's secrets, sealed like them: AES-GCM's tag under the data key is the MAC
/// (NIST SP 800-38D). An account that is not as it was sealed is not served.
public enum AccountSeal {
    /// Its name among the account's secrets.
    public static let secretName = "pomonaSettingsSeal"

    /// Of an account in a dialect.
    static func digest(of account: MerchantAccount, _ merchant: Merchant) -> [UInt8] {
        var fields = SealedFields("pomona account seal 1")
        fields.add(merchant.id.text)
        fields.add(merchant.mode.rawValue)
        fields.add(account.dialect.text)
        fields.add(account.key)
        fields.add("\(account.aliases.count)")
        for alias in account.aliases.sorted(by: Self.precedes) { fields.add(alias) }
        fields.add(account.settings)
        return fields.digest
    }

    /// Of an account with an acquirer: whoever changes its host in the database must not be sent card numbers.
    static func digest(of account: AcquirerAccount) -> [UInt8] {
        var fields = SealedFields("pomona acquirer account seal 1")
        fields.add(account.id.text)
        fields.add(account.merchantID.text)
        fields.add(account.name)
        fields.add(account.connector.text)
        fields.add(account.mode.rawValue)
        fields.add(account.acceptor.merchantNumber)
        fields.add(account.acceptor.terminal)
        fields.add(account.acceptor.categoryCode)
        fields.add(account.acceptor.descriptor)
        fields.add(account.acceptor.institution)
        fields.add(account.acceptor.forwarder)
        fields.add(account.acceptor.name)
        fields.add(account.acceptor.street)
        fields.add(account.acceptor.city)
        fields.add(account.acceptor.postalCode)
        fields.add(account.acceptor.region)
        fields.add(account.acceptor.country)
        fields.add(account.acceptor.timeZone)
        fields.add(account.settings)
        return fields.digest
    }

    /// SHA-256 over every field with its length before it, so that no two accounts have the same bytes.
    private struct SealedFields {
        private var hash = SHA256()

        init(_ title: String) { self.add(title) }

        /// - Parameter text: `nil` for a field that is not there, which differs from one that is empty.
        mutating func add(_ text: String?) {
            let length = text.map { UInt64($0.utf8.count) } ?? .max
            withUnsafeBytes(of: length.bigEndian) { self.hash.update(bufferPointer: $0) }
            self.hash.update(data: Array((text ?? "").utf8))
        }

        mutating func add(_ settings: [String: String]) {
            self.add("\(settings.count)")
            for (name, value) in settings.sorted(by: { AccountSeal.precedes($0.key, $1.key) }) {
                self.add(name)
                self.add(value)
            }
        }

        var digest: [UInt8] { Array(self.hash.finalize()) }
    }

    /// By bytes: the order of Swift's strings is that of equivalent texts.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

extension Gateway {
    /// The account with the seal of its settings.
    @_spi(Administration)
    public func sealed(
        _ account: MerchantAccount, of merchant: Merchant, in transaction: any StoreTransaction
    ) throws -> MerchantAccount {
        var secrets = account.secrets
        secrets[AccountSeal.secretName] = try self.vault.seal(
            Redacted(AccountSeal.digest(of: account, merchant)),
            context: Gateway.secretContext(account, AccountSeal.secretName), in: transaction)
        return MerchantAccount(
            merchantID: account.merchantID, dialect: account.dialect, key: account.key, aliases: account.aliases,
            settings: account.settings, secrets: secrets)
    }

    /// - Throws: ``VaultError`` `account_changed`, `account_unsealed`.
    @_spi(Administration)
    public func checkSeal(of account: MerchantAccount, _ merchant: Merchant, in reader: any StoreReader) throws {
        guard let seal = account.secrets[AccountSeal.secretName] else {
            // Before a store's accounts have been bound, they are as an older version has left them.
            guard try reader.storeSecret(Self.bindingName) == nil else { throw VaultError(code: .accountUnsealed) }
            return
        }
        let context = Gateway.secretContext(account, AccountSeal.secretName)
        guard try self.vault.open(seal, context: context).reveal() == AccountSeal.digest(of: account, merchant) else {
            throw VaultError(code: .accountChanged)
        }
    }

    /// The account with the seal of what its money's way depends on.
    func sealed(_ account: AcquirerAccount, in transaction: any StoreTransaction) throws -> AcquirerAccount {
        var sealed = account
        sealed.secrets[AccountSeal.secretName] = try self.vault.seal(
            Redacted(AccountSeal.digest(of: account)),
            context: Gateway.secretContext(account, AccountSeal.secretName), in: transaction)
        return sealed
    }

    /// - Throws: ``VaultError`` `account_changed`, `account_unsealed`.
    func checkSeal(of account: AcquirerAccount) throws {
        guard let seal = account.secrets[AccountSeal.secretName] else { throw VaultError(code: .accountUnsealed) }
        let context = Gateway.secretContext(account, AccountSeal.secretName)
        guard try self.vault.open(seal, context: context).reveal() == AccountSeal.digest(of: account) else {
            throw VaultError(code: .accountChanged)
        }
    }

    /// Says that every account of the store has its seal.
    @_spi(Administration)
    public static let bindingName = "accounts"
}
