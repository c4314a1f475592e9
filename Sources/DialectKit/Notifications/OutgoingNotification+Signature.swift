//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
import Payments
public import Time

extension OutgoingNotification {
    /// The dialect's message with our own signature beside whatever it has of its own. Body and headers stay as they are.
    public func signed(
        as delivery: Delivery, by merchant: MerchantContext, at now: Timestamp
    ) -> OutgoingNotification {
        let messageID = delivery.messageID
        var headers = self.headers
        headers.append(Header(WebhookSignature.idHeaderName, messageID))
        headers.append(Header(WebhookSignature.attemptHeaderName, String(delivery.event.attemptsCount + 1)))
        let signature = merchant.webhookSignature(messageID: messageID, body: self.body, at: now)
        if let signature { headers.append(Header(WebhookSignature.headerName, signature.text)) }
        return OutgoingNotification(method: self.method, headers: headers, body: self.body)
    }
}
