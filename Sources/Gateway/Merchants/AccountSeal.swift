//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import Logging
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

    /// SHA-256 over every field with its length before it, so that no two accounts have the same bytes.
    static func digest(of account: MerchantAccount, _ merchant: Merchant) -> [UInt8] {
        var hash = SHA256()
        func add(_ text: String) {
            withUnsafeBytes(of: UInt64(text.utf8.count).bigEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: Array(text.utf8))
        }
        add("pomona account seal 1")
        add(merchant.id.text)
        add(merchant.mode.rawValue)
        add(account.dialect.text)
        add(account.key)
        add("\(account.aliases.count)")
        for alias in account.aliases.sorted(by: Self.precedes) { add(alias) }
        add("\(account.settings.count)")
        for (name, value) in account.settings.sorted(by: { Self.precedes($0.key, $1.key) }) {
            add(name)
            add(value)
        }
        return Array(hash.finalize())
    }

    /// The same of an account with an acquirer: whoever changes its host in the database must not be sent card numbers.
    static func digest(of account: AcquirerAccount) -> [UInt8] {
        var hash = SHA256()
        func add(_ text: String?) {
            let length = text.map { UInt64($0.utf8.count) } ?? .max
            withUnsafeBytes(of: length.bigEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: Array((text ?? "").utf8))
        }
        add("pomona acquirer account seal 1")
        add(account.id.text)
        add(account.merchantID.text)
        add(account.name)
        add(account.connector.text)
        add(account.mode.rawValue)
        add(account.acceptor.merchantNumber)
        add(account.acceptor.terminal)
        add(account.acceptor.categoryCode)
        add(account.acceptor.descriptor)
        add(account.acceptor.institution)
        add("\(account.settings.count)")
        for (name, value) in account.settings.sorted(by: { Self.precedes($0.key, $1.key) }) {
            add(name)
            add(value)
        }
        return Array(hash.finalize())
    }

    /// By bytes: the order of Swift's strings is that of equivalent texts.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

extension Gateway {
    /// The account with the seal of its settings.
    func sealed(
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
    func checkSeal(of account: MerchantAccount, _ merchant: Merchant, in reader: any StoreReader) throws {
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
    static let bindingName = "accounts"
}

// MARK: - The first time

extension Gateway {
    /// Seals the accounts that an older version has left, as they stand; from then on none without its seal is served.
    /// A server does it when it starts; once in a store's life, which the audit log remembers.
    ///
    /// - Throws: ``VaultError`` `account_binding_gone` when it has been done and somebody has taken away what says so.
    public func bindAccounts() async throws {
        guard try await self.store.read({ try $0.storeSecret(Self.bindingName) }) == nil else { return }
        let count = try await self.administer(AuditDraft(.accountBind, "")) { transaction, draft in
            // Locks the log first: of two nodes that start together one does it.
            guard try !Self.hasBound(transaction) else {
                guard try transaction.storeSecret(Self.bindingName) != nil else {
                    throw VaultError(code: .accountBindingGone)
                }
                draft.isNothing = true
                return 0
            }
            var count = 0
            for account in try Self.accountsWithSecrets(transaction) where !account.isSealed {
                guard let merchant = try transaction.merchant(account.merchantID) else { continue }
                try transaction.upsert(try self.sealed(account, of: merchant, in: transaction))
                count += 1
            }
            let context = Gateway.context(of: .storeSecret(name: Self.bindingName))
            try transaction.insertStoreSecret(
                Self.bindingName, try self.vault.seal(Redacted([1]), context: context, in: transaction))
            draft.details["accounts"] = "\(count)"
            return count
        }
        guard count > 0 else { return }
        self.logger.warning(
            "the settings of accounts were sealed for the first time, as they stand: look through them",
            metadata: ["accounts": "\(count)"])
    }

    /// Seals an account as it stands, for an operator who has looked at it.
    ///
    /// - Throws: ``OnboardingError`` when the merchant has no account in the dialect.
    @discardableResult
    public func bindAccount(of merchant: MerchantID, dialect: DialectName) async throws -> MerchantAccount {
        let bound = try await self.administer(AuditDraft(.accountBind, "")) { transaction, draft in
            guard let account = try transaction.account(dialect: dialect, merchant: merchant),
                let owner = try transaction.merchant(merchant)
            else { throw Gateway.merchantUnknown }
            let bound = try self.sealed(account, of: owner, in: transaction)
            try transaction.upsert(bound)
            draft.setSubject(owner, dialect)
            return bound
        }
        return bound
    }

    private static func hasBound(_ transaction: any StoreTransaction) throws -> Bool {
        var number: Int64 = 0
        let last = try transaction.lastAuditEntry()?.number ?? 0
        while number < last {
            let page = try transaction.auditEntries(after: number, limit: 256)
            // Of one account is an operator's act, and says nothing of the others.
            if page.contains(where: { $0.act == .accountBind && $0.subject.isEmpty }) { return true }
            guard let end = page.last?.number else { return false }
            number = end
        }
        return false
    }

    /// Every account has a secret: what it or its gateway signs with, or a password.
    private static func accountsWithSecrets(_ transaction: any StoreTransaction) throws -> [MerchantAccount] {
        struct Name: Hashable {
            let merchant: MerchantID
            let dialect: DialectName
        }
        var names: Set<Name> = []
        var place: SealedPlace?
        while true {
            let page = try transaction.sealedValues(.accountSecret, notUnder: "", after: place, limit: 256)
            for value in page {
                guard case .accountSecret(let merchant, let dialect, _) = value.place else { continue }
                names.insert(Name(merchant: merchant, dialect: dialect))
            }
            guard let last = page.last else { break }
            place = last.place
        }
        return try names.compactMap { try transaction.account(dialect: $0.dialect, merchant: $0.merchant) }
    }
}

extension MerchantAccount {
    fileprivate var isSealed: Bool { self.secrets[AccountSeal.secretName] != nil }
}
