//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Redaction
import Time

extension Gateway {
    /// What the account's webhooks are signed with. An account that has no secret gets one.
    ///
    /// - Throws: ``OnboardingError`` when the merchant has no account in the dialect; ``VaultError``, `StoreError`.
    @discardableResult
    public func webhookSecrets(of merchant: MerchantID, dialect: DialectName) async throws -> WebhookSecrets {
        if let known = try await self.knownWebhookSecrets(of: merchant, dialect: dialect) { return known }
        return try await self.changeWebhookSecrets(of: merchant, dialect: dialect) { known, made in
            known ?? WebhookSecrets(current: made, previous: nil)
        }
    }

    /// What the account's webhooks are signed with; `nil` when it has no secret yet. Writes nothing.
    ///
    /// - Throws: ``OnboardingError`` when the merchant has no account in the dialect; ``VaultError``, `StoreError`.
    public func knownWebhookSecrets(of merchant: MerchantID, dialect: DialectName) async throws -> WebhookSecrets? {
        guard let account = try await self.store.read({ try $0.account(dialect: dialect, merchant: merchant) }) else {
            throw Gateway.merchantUnknown
        }
        return try await self.withFreshKeys { try self.openedWebhookSecrets(of: account) }
    }

    /// Gives the account a new secret. The one that it had signs on beside it for
    /// ``WebhookSecrets/overlapSeconds``; one that had been replaced before signs no more.
    ///
    /// - Throws: ``OnboardingError`` when the merchant has no account in the dialect; ``VaultError``, `StoreError`.
    public func rotateWebhookSecret(of merchant: MerchantID, dialect: DialectName) async throws -> WebhookSecrets {
        // In whole seconds, as it is kept.
        let signsUntil = Timestamp(seconds: self.clock().seconds + WebhookSecrets.overlapSeconds)
        return try await self.changeWebhookSecrets(of: merchant, dialect: dialect) { known, made in
            WebhookSecrets(
                current: made, previous: known.map { .init(secret: $0.current, signsUntil: signsUntil) })
        }
    }

    /// Reading and writing are one commit, so that processes that sign at once sign with one secret.
    private func changeWebhookSecrets(
        of merchant: MerchantID, dialect: DialectName,
        _ change: @escaping @Sendable (_ known: WebhookSecrets?, _ made: Redacted<String>) -> WebhookSecrets
    ) async throws -> WebhookSecrets {
        let made = WebhookSecrets.makeSecret(random: self.random)
        let changed = try await self.administer(AuditDraft(.webhookSecretRotate, "")) { transaction, draft in
            draft.isNothing = true
            guard let account = try transaction.account(dialect: dialect, merchant: merchant) else {
                throw Gateway.merchantUnknown
            }
            let known = try self.openedWebhookSecrets(of: account)
            let changed = change(known, made)
            guard changed != known else { return changed }
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
            draft.setSubject(try transaction.merchant(merchant), dialect)
            try transaction.upsert(account.with(secrets: secrets))
            return changed
        }
        return changed
    }

    private func openedWebhookSecrets(of account: MerchantAccount) throws -> WebhookSecrets? {
        try WebhookSecrets { name in
            try account.secrets[name].map {
                try self.vault.openText($0, context: Gateway.secretContext(account, name))
            }
        }
    }
}

extension MerchantAccount {
    fileprivate func with(secrets: [String: SealedBytes]) -> MerchantAccount {
        MerchantAccount(
            merchantID: self.merchantID, dialect: self.dialect, key: self.key, aliases: self.aliases,
            settings: self.settings, secrets: secrets)
    }

    /// The account with the webhook secrets of the one that it is written over, unless it brings its own.
    func keepingWebhookSecrets(of earlier: MerchantAccount?) -> MerchantAccount {
        let kept = (earlier?.secrets ?? [:]).filter { name, _ in WebhookSecrets.names.contains(name) }
        return kept.isEmpty ? self : self.with(secrets: kept.merging(self.secrets) { _, own in own })
    }
}
