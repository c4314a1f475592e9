//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Payments
import Redaction
public import StrictJSON

/// A message to a merchant's server as people may see it: without secrets, signatures, and what is the card holder's.
public struct EventMessage: Hashable, Sendable {
    /// What stands in the place of a value that nobody may see.
    static let mark = "\(Scrubber.mark)(hidden)"

    public struct Header: Hashable, Sendable {
        public let name: String
        public let value: String
    }

    /// Which of the event's messages, from 0.
    public let number: Int
    /// How many messages the event has.
    public let count: Int
    public let method: String
    /// Without user information, path and query, which may hold a secret.
    public let url: String
    public let headers: [Header]
    /// Members and lines under each other.
    public let body: String

    /// - Parameter secrets: of the account.
    init(_ notification: OutgoingNotification, _ delivery: Delivery, count: Int, secrets: [Redacted<String>]) {
        let query = NotificationTarget(delivery.event.target)?.query?.split(whereSeparator: { "&=".contains($0) }) ?? []
        let scrubber = Scrubber(secrets + query.map { Redacted(String($0)) })
        let contentType = notification.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        let text = BodyText(hiding: Self.hiddenNames) { _ in Self.mark }
            .text(notification.body, contentType: contentType.lowercased())
        self.number = delivery.event.messageIndex
        self.count = count
        self.method = notification.method
        self.url = Self.withoutPaths(delivery.event.target)
        self.headers = notification.headers.map { header in
            let isShown = Self.shownHeaders.contains(header.name.lowercased())
            return Header(name: header.name, value: isShown ? scrubber.scrub(header.value) : Self.mark)
        }
        self.body = scrubber.scrub(Self.withoutPaths(text))
    }

    public var view: JSONObject {
        var object = JSONObject()
        object["message"] = JSON(self.number)
        object["messages"] = JSON(self.count)
        object["method"] = .string(self.method)
        object["url"] = .string(self.url)
        object["headers"] = .array(self.headers.map { ["name": .string($0.name), "value": .string($0.value)] })
        object["body"] = .string(self.body)
        return object
    }

    /// All others prove who sends the message, or may do so in a dialect that is yet to come.
    private static let shownHeaders: Set = [
        "content-type", "merchant-code", "pomona-attempt", "pomona-event-id", "request-time", "user-agent",
        "x-notification-attempt", "x-notification-id",
    ]

    /// The card holder's, and tokens that stand for a card, beyond what is hidden everywhere.
    private static let hiddenNames: Set = [
        "cardexpiredate", "cardholder", "cardholdername", "cardsecuritycode", "devicespecificexpiry", "email", "expiry",
        "expirationdate", "firstname", "lastname", "nameoncard", "paymentaccountuniqueid",
    ]

    /// Of every address in a text the scheme, the host and the port.
    static func withoutPaths(_ text: String) -> String {
        text.replacing(/(https?:\/\/)([^\/?#\s"<>\\]*)([^\s"<>\\]*)/.ignoresCase()) { match in
            let (_, scheme, authority, rest) = match.output
            let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            return "\(scheme)\(host)\(rest.isEmpty || rest == "/" ? rest : "/\(Scrubber.mark)")"
        }
    }
}
