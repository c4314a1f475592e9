//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Logging
public import Payments
import Redaction

/// The seals of accounts (``AccountSeal``), where an operator has to see to them.
extension Administration {
    /// Seals the accounts that an older version has left, as they stand; from then on none without its seal is served.
    /// A server does it when it starts; once in a store's life, which the audit log remembers.
    ///
    /// - Throws: ``VaultError`` `account_binding_gone` when it has been done and somebody has taken away what says so.
    public func bindAccounts() async throws {
        guard try await self.read({ try $0.storeSecret(Gateway.bindingName) }) == nil else { return }
        let count = try await self.gateway.administer(AuditDraft(.accountBind, "")) { transaction, draft in
            // Locks the log first: of two nodes that start together one does it.
            guard try !Self.hasBound(transaction) else {
                guard try transaction.storeSecret(Gateway.bindingName) != nil else {
                    throw VaultError(code: .accountBindingGone)
                }
                draft.isNothing = true
                return 0
            }
            var count = 0
            for account in try Self.accountsWithSecrets(transaction) where !account.isSealed {
                guard let merchant = try transaction.merchant(account.merchantID) else { continue }
                try transaction.upsert(try self.gateway.sealed(account, of: merchant, in: transaction))
                count += 1
            }
            // What it says is that it is there.
            try transaction.insertStoreSecret(
                Gateway.bindingName,
                try self.gateway.seal(
                    Redacted("\u{1}"), for: .storeSecret(name: Gateway.bindingName), in: transaction))
            draft.details["accounts"] = "\(count)"
            return count
        }
        guard count > 0 else { return }
        self.gateway.logger.warning(
            "the settings of accounts were sealed for the first time, as they stand: look through them",
            metadata: ["accounts": "\(count)"])
    }

    /// Seals an account as it stands, for an operator who has looked at it. What was changed may be a credential.
    ///
    /// - Throws: ``AdministrationError`` `account_unknown` when the merchant has no account in the dialect,
    ///   `approval_required`.
    @discardableResult
    public func bindAccount(of merchant: MerchantID, dialect: DialectName) async throws -> MerchantAccount {
        try await self.gateway.administer(AuditDraft(.accountBind, "")) { transaction, draft in
            let (account, owner) = try Self.account(of: merchant, dialect, in: transaction)
            try self.permit(.liveCredentials, of: owner, in: transaction, &draft)
            let bound = try self.gateway.sealed(account, of: owner, in: transaction)
            try transaction.upsert(bound)
            draft.setSubject(owner, dialect)
            return bound
        }
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
        for keyID in try transaction.sealingKeys(.accountSecret) {
            var place: SealedPlace?
            while true {
                let page = try transaction.sealedValues(.accountSecret, under: keyID, after: place, limit: 256)
                for value in page {
                    guard case .accountSecret(let merchant, let dialect, _) = value.place else { continue }
                    names.insert(Name(merchant: merchant, dialect: dialect))
                }
                guard let last = page.last else { break }
                place = last.place
            }
        }
        return try names.compactMap { try transaction.account(dialect: $0.dialect, merchant: $0.merchant) }
    }
}

extension MerchantAccount {
    fileprivate var isSealed: Bool { self.secrets[AccountSeal.secretName] != nil }
}
