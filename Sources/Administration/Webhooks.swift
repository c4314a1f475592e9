//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) public import Gateway
public import Payments
import Time

extension Administration {
    /// What the account's webhooks are signed with. An account that has no secret gets one.
    ///
    /// - Throws: ``AdministrationError`` `account_unknown`; ``VaultError``, `StoreError`.
    @discardableResult
    public func webhookSecrets(of merchant: MerchantID, dialect: DialectName) async throws -> WebhookSecrets {
        if let known = try await self.knownWebhookSecrets(of: merchant, dialect: dialect) { return known }
        let secrets = try await self.gateway.changeWebhookSecrets(of: merchant, dialect: dialect) { known, made in
            known ?? WebhookSecrets(current: made, previous: nil)
        }
        return try Self.known(secrets, dialect)
    }

    /// What the account's webhooks are signed with; `nil` when it has no secret yet. Writes nothing.
    ///
    /// - Throws: ``AdministrationError`` `account_unknown`; ``VaultError``, `StoreError`.
    public func knownWebhookSecrets(of merchant: MerchantID, dialect: DialectName) async throws -> WebhookSecrets? {
        let account = try await self.read { try Self.account(of: merchant, dialect, in: $0).account }
        return try await self.gateway.webhookSecrets(of: account)
    }

    /// Gives the account a new secret. The one that it had signs on beside it for
    /// ``WebhookSecrets/overlapSeconds``; one that had been replaced before signs no more.
    ///
    /// - Throws: ``AdministrationError`` `account_unknown`, `approval_required`; ``VaultError``, `StoreError`.
    public func rotateWebhookSecret(of merchant: MerchantID, dialect: DialectName) async throws -> WebhookSecrets {
        // In whole seconds, as it is kept.
        let signsUntil = Timestamp(seconds: self.gateway.now().seconds + WebhookSecrets.overlapSeconds)
        let permit = { @Sendable (owner: Merchant?, transaction: any StoreTransaction, entry: inout AuditDraft) in
            try self.permit(.liveCredentials, of: owner, in: transaction, &entry)
        }
        let secrets = try await self.gateway.changeWebhookSecrets(
            of: merchant, dialect: dialect, permit: permit
        ) { known, made in
            WebhookSecrets(
                current: made, previous: known.map { .init(secret: $0.current, signsUntil: signsUntil) })
        }
        return try Self.known(secrets, dialect)
    }

    private static func known(
        _ secrets: WebhookSecrets?, _ dialect: DialectName
    ) throws(AdministrationError) -> WebhookSecrets {
        guard let secrets else {
            throw AdministrationError(.accountUnknown, "The merchant has no account in \(dialect).")
        }
        return secrets
    }

    /// How many events ``resendDead(of:)`` takes in one commit.
    public static let resendsMax = 1000

    /// Has a merchant's dead events sent again, as ``resend(_:)`` does each, the oldest first: one act of the audit log.
    ///
    /// - Returns: how many, and whether more than ``resendsMax`` were dead.
    /// - Throws: `StoreError`.
    public func resendDead(of merchant: MerchantID) async throws -> (count: Int, leavesSome: Bool) {
        let now = self.gateway.now()
        let resent = try await self.gateway.administer(AuditDraft(.webhookResend, merchant.text)) {
            transaction, entry in
            var query = OutboxQuery(merchantID: merchant, state: .dead, limit: Self.resendsMax + 1)
            query.oldestFirst = true
            let dead = try transaction.events(query)
            let taken = dead.prefix(Self.resendsMax)
            for event in taken { try Gateway.resend(event, at: now, in: transaction) }
            entry.details["events"] = "\(taken.count)"
            return (count: taken.count, leavesSome: dead.count > taken.count)
        }
        self.gateway.deliveriesDue.raise()
        return resent
    }

    /// Has an event sent again, from its first message and with all tries of its dialect's schedule: one that is dead,
    /// or that the merchant wants to hear once more. One that is pending is only made due now, and that try is none of its
    /// schedule's.
    ///
    /// The order stays: of the payment's events that are pending, the oldest goes first.
    ///
    /// - Throws: ``AdministrationError`` `event_unknown`, `message_not_sent` for an event of which nothing was sent because
    ///   its dialect has no message for it; `StoreError`.
    public func resend(_ id: EventID) async throws {
        let now = self.gateway.now()
        try await self.gateway.administer(AuditDraft(.webhookResend, id.text)) { transaction, entry in
            guard let event = try transaction.event(id) else {
                throw AdministrationError(.eventUnknown, "The store has no event with the id \(id.text).")
            }
            guard !event.hasNoMessage else { throw Self.noMessage(for: event) }
            try Gateway.resend(event, at: now, in: transaction)
            entry.details["payment"] = event.paymentID.text
        }
        self.gateway.deliveriesDue.raise()
    }

    /// Why an event is not sent again of which nothing was sent.
    public static func noMessage(for event: OutboxEvent) -> AdministrationError {
        AdministrationError(
            .messageNotSent, "\(event.dialect) has no message for the event \(event.id.text): nothing is sent.")
    }
}
