//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Payments
import Redaction

/// What the store of a data directory knows of a webhook that has come.
///
/// The store is opened anew for every webhook, so that a server may start, stop and change secrets meanwhile.
struct WebhookKnowledge: Sendable {
    /// What is known of one webhook.
    struct Facts: Hashable, Sendable {
        var dialect: String?
        var merchant: String?
        var payment: String?
        var kind: OutboxEvent.Kind?
        var state: OutboxEvent.State?
        var signature = Signature.unchecked
    }

    /// What came of the signature.
    enum Signature: String, Hashable, Sendable, CaseIterable {
        case valid
        case missing
        case malformed
        case outdated
        case forged
        /// There is no secret at hand to check it with.
        case unchecked

        init(_ verdict: WebhookSignature.Verdict) {
            switch verdict {
            case .valid: self = .valid
            case .malformed: self = .malformed
            case .outdated: self = .outdated
            case .forged: self = .forged
            }
        }
    }

    let directory: DataDirectory
    /// Whose secret must have signed; the event's merchant's if `nil`.
    let merchantName: String?

    /// Never fails: what the store does not know stays unknown.
    func facts(of webhook: ReceivedWebhook) async -> Facts {
        let known = try? await DirectoryAccess.withReadingAdministration(self.directory) { administration in
            try await self.facts(of: webhook, from: administration)
        }
        return known ?? Facts(dialect: webhook.dialect, signature: Self.signature(of: webhook, by: nil))
    }

    private func facts(of webhook: ReceivedWebhook, from administration: Administration) async throws -> Facts {
        let (id, name) = (webhook.eventID, self.merchantName)
        let (event, merchant) = try await administration.read { reader -> (OutboxEvent?, Merchant?) in
            let event = try id.flatMap { try reader.event($0) }
            return (event, try event.flatMap { try reader.merchant($0.merchantID) })
        }
        var facts = Facts(dialect: event?.dialect.text ?? webhook.dialect)
        facts.merchant = merchant?.name
        facts.payment = event?.paymentID.text
        facts.kind = event?.kind
        facts.state = event?.state
        let dialect = facts.dialect
        let account = try? await administration.read { reader -> (MerchantID, DialectName)? in
            if let name {
                let account = try MerchantAccounts.account(of: name, dialect: dialect, in: reader)
                return (account.merchantID, account.dialect)
            }
            return event.map { ($0.merchantID, $0.dialect) }
        }
        var secrets: WebhookSecrets?
        if let (merchantID, dialect) = account {
            secrets = try? await administration.knownWebhookSecrets(of: merchantID, dialect: dialect)
        }
        facts.signature = Self.signature(of: webhook, by: secrets?.signing(at: webhook.receivedAt))
        return facts
    }

    private static func signature(of webhook: ReceivedWebhook, by secrets: [Redacted<String>]?) -> Signature {
        guard let header = webhook.header(WebhookSignature.headerName), let id = webhook.messageID else {
            return .missing
        }
        guard let secrets else { return .unchecked }
        return Signature(
            WebhookSignature.verdict(
                header: header, messageID: id, body: webhook.body, secrets: secrets, at: webhook.receivedAt))
    }
}
