//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
@_spi(Administration) import Gateway
public import Payments

extension Administration {
    /// Makes a merchant's account in a dialect, with credentials that are shown this once.
    ///
    /// - Parameters:
    ///   - plan: the dialect's.
    ///   - order: what is chosen; its mode must be the merchant's.
    /// - Returns: what the holder of the account needs.
    /// - Throws: ``AdministrationError``, `AccountPlanError`, `StoreError`.
    public func createAccount(
        of merchant: Merchant, _ plan: AccountPlan, _ order: AccountOrder, _ tools: AccountTools
    ) async throws -> AccountCredentials {
        var tools = tools
        tools.isTaken = { dialect, key in
            try await self.read { try $0.account(dialect: dialect, key: key) } != nil
        }
        let credentials = try await plan.makeCredentials(order, tools)
        let draft = try plan.draft(credentials, order, tools.keys)
        let details = ["key": draft.key, "settings": draft.settings.keys.sorted().joined(separator: " ")]
        try await self.gateway.administer(AuditDraft(.accountWrite, "", details)) { transaction, entry in
            let owner = try Self.openMerchant(merchant.id, in: transaction)
            guard try transaction.account(dialect: plan.dialect, merchant: merchant.id) == nil else {
                throw AdministrationError(
                    .accountExists,
                    "The merchant \(owner.name) has an account in \(plan.dialect) already. Its settings and credentials can "
                        + "be changed; a second account takes another merchant.")
            }
            try self.permit(.liveCredentials, of: owner, in: transaction, &entry)
            entry.setSubject(owner, plan.dialect)
            entry.details["secrets"] = draft.secrets.keys.sorted().joined(separator: " ")
            let account = MerchantAccount(
                merchantID: merchant.id, dialect: plan.dialect, key: draft.key, aliases: draft.aliases,
                settings: draft.settings, secrets: [:])
            do {
                try self.write(account, with: draft.secrets, of: owner, in: transaction)
            } catch StoreError.duplicate(let what) {
                throw AdministrationError(
                    .accountKeyTaken, "Another account in \(plan.dialect) has that \(what). Choose another.")
            }
        }
        return credentials
    }

    /// Gives an account a new credential. The one before is accepted beside it until ``revokeCredential(_:of:_:_:)``,
    /// where the dialect has room for two.
    ///
    /// - Parameter chosen: what it is to be; made if left out.
    /// - Returns: the new one, which is shown this once.
    /// - Throws: ``AdministrationError``, `AccountPlanError`, ``VaultError``, `StoreError`.
    public func rotateCredential(
        _ name: String, of merchant: Merchant, _ plan: AccountPlan, _ tools: AccountTools, chosen: String? = nil
    ) async throws -> AccountCredentials {
        let made = try await plan.makeReplacement(of: name, chosen: chosen, mode: merchant.mode, tools)
        try await self.change(merchant, plan, "rotate \(name)") { draft in
            try plan.replace(name, by: made, in: &draft, tools.keys)
        }
        return made
    }

    /// What the revocation of a credential takes away.
    public enum Revocation: Hashable, Sendable {
        /// The one that was replaced. The present one stays.
        case replaced
        /// The present one, which an account need not have, and of which it has no second.
        case present
    }

    /// Has a credential that was replaced accepted no more; where the dialect has no room for two, takes the only one
    /// away, if an account need not have it.
    ///
    /// - Throws: ``AdministrationError``, `AccountPlanError`, ``VaultError``, `StoreError`.
    @discardableResult
    public func revokeCredential(
        _ name: String, of merchant: Merchant, _ plan: AccountPlan
    ) async throws -> Revocation {
        let credential = try plan.credential(name)
        let revocation: Revocation = credential.isOptional && !credential.hasOverlap ? .present : .replaced
        try await self.change(merchant, plan, "revoke \(name)") { draft in
            switch revocation {
            case .replaced: try plan.revokeReplaced(name, in: &draft)
            case .present: try plan.remove(name, in: &draft)
            }
        }
        return revocation
    }

    /// One commit: what is made of an account's settings and secrets as they stand.
    private func change(
        _ merchant: Merchant, _ plan: AccountPlan, _ what: String,
        _ change: @escaping @Sendable (inout AccountDraft) throws -> Void
    ) async throws {
        try await self.gateway.administer(AuditDraft(.accountSecrets, "", ["change": what])) { transaction, entry in
            _ = try Self.openMerchant(merchant.id, in: transaction)
            let (account, owner) = try Self.account(of: merchant.id, plan.dialect, in: transaction)
            try self.permit(.liveCredentials, of: owner, in: transaction, &entry)
            var draft = AccountDraft(
                key: account.key, aliases: account.aliases, settings: account.settings,
                secrets: try self.openedSecrets(of: account, owner, in: transaction))
            let before = AccountContent(settings: draft.settings, secrets: draft.secrets)
            try change(&draft)
            entry.setSubject(owner, plan.dialect)
            let changed = MerchantAccount(
                merchantID: merchant.id, dialect: plan.dialect, key: account.key, aliases: draft.aliases,
                settings: draft.settings, secrets: [:])
            try self.write(changed, with: draft.secrets, of: owner, in: transaction)
            let after = AccountContent(settings: draft.settings, secrets: draft.secrets)
            try self.moveUses(of: changed, from: before, to: after, in: transaction)
        }
    }
}
