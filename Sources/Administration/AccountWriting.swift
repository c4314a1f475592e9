//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
public import Redaction
import StrictJSON

/// What an account in a dialect is made of.
extension Administration {
    /// Writes a merchant's account in a dialect, over an earlier one, of which it keeps what webhooks are signed with.
    /// Secrets are sealed.
    ///
    /// - Parameter aliases: further names by which the wire finds the account.
    /// - Throws: ``AdministrationError`` `merchant_unknown`, `StoreError`.
    public func putAccount(
        merchant: MerchantID, dialect: DialectName, key: String, aliases: Set<String> = [],
        settings: [String: String], secrets: [String: Redacted<String>]
    ) async throws {
        try await self.gateway.administer(AuditDraft(.accountWrite, "")) { transaction, entry in
            let owner = try Self.merchant(merchant, in: transaction)
            try self.permit(.liveCredentials, of: owner, in: transaction, &entry)
            entry.setSubject(owner, dialect)
            entry.details["settings"] = settings.keys.sorted().joined(separator: " ")
            entry.details["secrets"] = secrets.keys.sorted().joined(separator: " ")
            let account = MerchantAccount(
                merchantID: merchant, dialect: dialect, key: key, aliases: aliases, settings: settings, secrets: [:])
            if let earlier = try transaction.account(dialect: dialect, merchant: merchant) {
                // One that does not open is written over; nothing is known then of what it held.
                let opened = try? self.openedSecrets(of: earlier, owner, in: transaction)
                try self.moveUses(
                    of: account, from: AccountContent(settings: earlier.settings, secrets: opened ?? [:]),
                    to: AccountContent(settings: settings, secrets: secrets), in: transaction)
            }
            try self.write(account, with: secrets, of: owner, in: transaction)
        }
    }

    /// Changes the settings of an account; its key and its secrets stay. Reading and writing are one commit: of changes
    /// that are made at once none is lost.
    ///
    /// This process sees the change at once, others on the same store within ``GatewaySettings/accountCacheSeconds``.
    /// - Parameters:
    ///   - guarded: the settings of the dialect that are credentials, or guard what credentials do
    ///     (`AccountPlan/guardedSettings`): a change of one may need a second person, as one of credentials does.
    ///   - change: what it throws is thrown on, and nothing is written. It may run more than once, each time on the
    ///     settings as they stand then.
    /// - Returns: the account as it has become.
    /// - Throws: ``AdministrationError`` `account_unknown`, `approval_required`; ``VaultError`` for an account that somebody
    ///   has changed in the database; `StoreError`.
    @discardableResult
    public func changeSettings(
        of merchant: MerchantID, dialect: DialectName, guarded: Set<String> = [],
        _ change: @escaping @Sendable (inout [String: String]) throws -> Void
    ) async throws -> MerchantAccount {
        try await self.gateway.administer(AuditDraft(.settingsChange, "")) { transaction, draft in
            _ = try Self.openMerchant(merchant, in: transaction)
            let (account, owner) = try Self.account(of: merchant, dialect, in: transaction)
            // Else a change of something harmless would seal what somebody has put beside it.
            try self.gateway.checkSeal(of: account, owner, in: transaction)
            var settings = account.settings
            try change(&settings)
            draft.setSubject(owner, dialect)
            let names = Set(settings.keys).union(account.settings.keys).filter {
                !settings[$0].isExactly(account.settings[$0])
            }
            draft.details["settings"] = names.sorted().joined(separator: " ")
            draft.isNothing = names.isEmpty
            try self.permit(
                .liveCredentials, of: owner, isChange: !guarded.isDisjoint(with: names), in: transaction, &draft)
            let changed = try self.gateway.sealed(
                MerchantAccount(
                    merchantID: merchant, dialect: dialect, key: account.key, aliases: account.aliases,
                    settings: settings, secrets: account.secrets), of: owner, in: transaction)
            try transaction.upsert(changed)
            try self.moveUses(
                of: account, from: AccountContent(settings: account.settings),
                to: AccountContent(settings: settings), in: transaction)
            return changed
        }
    }

    /// Writes an account with its secrets and its seal, over an earlier one, of which it keeps what webhooks are signed
    /// with.
    func write(
        _ account: MerchantAccount, with secrets: [String: Redacted<String>], of owner: Merchant,
        in transaction: any StoreTransaction
    ) throws {
        let earlier = try transaction.account(dialect: account.dialect, merchant: account.merchantID)
        let kept = (earlier?.secrets ?? [:]).filter { name, _ in WebhookSecrets.names.contains(name) }
        let sealed = try Dictionary(
            uniqueKeysWithValues: secrets.map { name, secret in
                (name, try self.gateway.seal(secret, for: account.place(ofSecret: name), in: transaction))
            })
        let complete = MerchantAccount(
            merchantID: account.merchantID, dialect: account.dialect, key: account.key, aliases: account.aliases,
            settings: account.settings, secrets: kept.merging(sealed) { _, own in own })
        try transaction.upsert(try self.gateway.sealed(complete, of: owner, in: transaction))
    }

    /// The secrets that the account's dialect has given it, open, after a look at the account's seal.
    ///
    /// - Throws: ``VaultError``.
    func openedSecrets(
        of account: MerchantAccount, _ owner: Merchant, in reader: any StoreReader
    ) throws -> [String: Redacted<String>] {
        try self.gateway.checkSeal(of: account, owner, in: reader)
        let own = account.secrets.filter { name, _ in
            name != AccountSeal.secretName && !WebhookSecrets.names.contains(name)
        }
        return try Dictionary(
            uniqueKeysWithValues: own.map { name, sealed in
                (name, try self.gateway.open(sealed, of: account.place(ofSecret: name)))
            })
    }
}

extension MerchantAccount {
    fileprivate func place(ofSecret name: String) -> SealedPlace {
        .accountSecret(self.merchantID, self.dialect, name: name)
    }
}
