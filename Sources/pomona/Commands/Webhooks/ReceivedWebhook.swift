//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Payments
import Time

/// A webhook as it has come to `pomona webhooks listen`.
struct ReceivedWebhook: Sendable {
    let receivedAt: Timestamp
    let method: String
    /// With its query, as it was sent: "/hooks?shop=7".
    let target: String
    let headers: [OutgoingNotification.Header]
    let body: [UInt8]

    /// Of several with that name, the first.
    func header(_ name: String) -> String? {
        let name = name.lowercased()
        return self.headers.first { $0.name.lowercased() == name }?.value
    }

    /// What our own headers call the message.
    var messageID: String? { self.header(WebhookSignature.idHeaderName) }

    var eventID: EventID? {
        self.messageID.flatMap { EventID(String($0.prefix { $0 != "-" })) }
    }

    var attempt: Int? { self.header(WebhookSignature.attemptHeaderName).flatMap { Int($0) } }

    /// The dialect, as far as headers show it.
    var dialect: String? {
        DialectModule.all.first { $0.plan.notifications.isShown(self.header) }?.name
    }

    /// Without its parameters, in lower-case letters.
    var contentType: String? {
        self.header("Content-Type").map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() }
    }

    /// The webhook as it is handed on: without what belongs to the connection that it came over (RFC 9110, section
    /// 7.6.1) and without the name of the host.
    var forwarded: OutgoingNotification {
        OutgoingNotification(
            method: self.method,
            headers: self.headers.filter { !Self.connectionHeaders.contains($0.name.lowercased()) }, body: self.body)
    }

    private static let connectionHeaders: Set = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-authenticate", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]
}

/// What a webhook is answered with.
struct WebhookReply: Hashable, Sendable {
    var status: Int
    var contentType: String?
    var body: [UInt8] = []

    /// What the dialect's sender takes for "taken".
    static func acknowledging(_ dialect: String?) -> WebhookReply {
        guard let mark = dialect.flatMap({ DialectModule.named($0) })?.plan.notifications else {
            return WebhookReply(status: 200)
        }
        return WebhookReply(
            status: 200, contentType: mark.acknowledgementType, body: Array(mark.acknowledgement.utf8))
    }
}
