//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import Redaction

extension MerchantCard {
    /// What the merchant's webhooks are signed with, beside the dialect's own scheme (docs/webhooks.md).
    static let webhookSecretName = "webhookSecret"

    fileprivate func with(webhookSecret: String) -> MerchantCard {
        var card = self
        card.values.removeAll { $0.name == Self.webhookSecretName }
        card.values.append(Entry(name: Self.webhookSecretName, value: webhookSecret))
        return card
    }
}

extension MerchantDirectory {
    /// Writes the secret onto the merchant's card, unless it stands there already.
    ///
    /// - Returns: the card as it is now.
    func write(_ secrets: WebhookSecrets, on card: MerchantCard) throws(CommandFailure) -> MerchantCard {
        let written = card.with(webhookSecret: secrets.current.reveal())
        if written != card { try self.save(written) }
        return written
    }

    /// Whether the merchant has a card: demo merchants have, others have not.
    var hasCard: Bool { FileSystem.exists(self.cardPath) }
}
