//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Redaction

extension Gateway {
    /// Gives the account a secret that signs its webhooks, if it has none. For the worker that sends them.
    ///
    /// - Throws: ``GatewayRefusal/merchantNotReady`` when the merchant has no account in the dialect; ``VaultError``,
    ///   `StoreError`.
    public func ensureWebhookSecret(of merchant: MerchantID, dialect: DialectName) async throws {
        let secrets = try await self.changeWebhookSecrets(of: merchant, dialect: dialect) { known, made in
            known ?? WebhookSecrets(current: made, previous: nil)
        }
        guard secrets != nil else { throw GatewayRefusal.merchantNotReady }
    }

    /// What the account's webhooks are signed with; `nil` when it has no secret yet.
    @_spi(Administration)
    public func webhookSecrets(of account: MerchantAccount) async throws -> WebhookSecrets? {
        try await self.withFreshKeys { try self.openedWebhookSecrets(of: account) }
    }

    /// Reading and writing are one commit, so that processes that sign at once sign with one secret.
    ///
    /// - Parameter permit: asked before anything is changed; what it throws refuses it.
    /// - Returns: what signs now; `nil` when the merchant has no account in the dialect.
    @_spi(Administration)
    public func changeWebhookSecrets(
        of merchant: MerchantID, dialect: DialectName,
        permit: @escaping @Sendable (Merchant?, any StoreTransaction, inout AuditDraft) throws -> Void = { _, _, _ in },
        _ change: @escaping @Sendable (_ known: WebhookSecrets?, _ made: Redacted<String>) -> WebhookSecrets
    ) async throws -> WebhookSecrets? {
        let made = WebhookSecrets.makeSecret(random: self.random)
        return try await self.administer(AuditDraft(.webhookSecretRotate, "")) { transaction, draft in
            draft.isNothing = true
            guard let account = try transaction.account(dialect: dialect, merchant: merchant) else { return nil }
            let known = try self.openedWebhookSecrets(of: account)
            let changed = change(known, made)
            guard changed != known else { return changed }
            let owner = try transaction.merchant(merchant)
            try permit(owner, transaction, &draft)
            var secrets = account.secrets
            secrets[WebhookSecrets.currentName] = try self.vault.sealText(
                changed.current, context: Gateway.secretContext(account, WebhookSecrets.currentName), in: transaction)
            secrets[WebhookSecrets.previousName] = try changed.previous.map {
                try self.vault.sealText(
                    $0.sealedText, context: Gateway.secretContext(account, WebhookSecrets.previousName),
                    in: transaction)
            }
            // A first one is made by whoever sends a webhook; only its replacement is an act of the operator's.
            draft.isNothing = known == nil
            draft.setSubject(owner, dialect)
            try transaction.upsert(
                MerchantAccount(
                    merchantID: merchant, dialect: dialect, key: account.key, aliases: account.aliases,
                    settings: account.settings, secrets: secrets))
            return changed
        }
    }

    private func openedWebhookSecrets(of account: MerchantAccount) throws -> WebhookSecrets? {
        try WebhookSecrets { name in
            try account.secrets[name].map {
                try self.vault.openText($0, context: Gateway.secretContext(account, name))
            }
        }
    }
}
