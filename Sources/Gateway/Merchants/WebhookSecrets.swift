//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Payments
public import Redaction
public import Time

/// What an account's webhooks are signed with, beside the dialect's own scheme.
///
/// They are secrets of the account like its others, sealed in its row, and so are sealed anew with them.
public struct WebhookSecrets: Hashable, Sendable {
    /// A secret that has been replaced.
    public struct Previous: Hashable, Sendable {
        public let secret: Redacted<String>
        public let signsUntil: Timestamp

        @_spi(Administration)
        public init(secret: Redacted<String>, signsUntil: Timestamp) {
            self.secret = secret
            self.signsUntil = signsUntil
        }
    }

    /// How long a secret signs on beside the one that has replaced it.
    public static let overlapSeconds: Int64 = 86_400

    /// "pwhs_" and 64 hexadecimal digits.
    public let current: Redacted<String>
    public let previous: Previous?

    /// Names among the account's secrets.
    static let currentName = "pomonaWebhookSecret"
    static let previousName = "pomonaWebhookSecretPrevious"
    @_spi(Administration)
    public static let names: Set<String> = [Self.currentName, Self.previousName]

    /// 256 random bits.
    static func makeSecret(random: (Int) -> [UInt8]) -> Redacted<String> {
        Redacted("pwhs_" + Hex.encode(random(32)))
    }

    @_spi(Administration)
    public init(current: Redacted<String>, previous: Previous?) {
        self.current = current
        self.previous = previous
    }

    /// - Parameter secret: the account's secret of a name.
    /// - Returns: `nil` for an account that has none yet.
    init?(_ secret: (_ name: String) throws -> Redacted<String>?) rethrows {
        guard let current = try secret(Self.currentName) else { return nil }
        self.current = current
        self.previous = try secret(Self.previousName).flatMap(Previous.init)
    }

    /// Those that sign at a moment, the current one first.
    public func signing(at now: Timestamp) -> [Redacted<String>] {
        guard let previous = self.previous, previous.signsUntil > now else { return [self.current] }
        return [self.current, previous.secret]
    }
}

extension WebhookSecrets.Previous {
    /// Its end and itself, "1781611200:pwhs_…", as one text, so that neither is ever without the other.
    var sealedText: Redacted<String> { self.secret.map { "\(self.signsUntil.seconds):\($0)" } }

    init?(_ text: Redacted<String>) {
        let parts = text.reveal().split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let seconds = Int64(parts[0]) else { return nil }
        self.init(secret: Redacted(String(parts[1])), signsUntil: Timestamp(seconds: seconds))
    }
}

extension MerchantContext {
    var webhookSecrets: WebhookSecrets? { WebhookSecrets { self.keys.secret($0) } }

    /// Whether webhooks of the account can be signed: ``Gateway/ensureWebhookSecret(of:dialect:)`` makes it so.
    public var hasWebhookSecret: Bool { self.webhookSecrets != nil }

    /// The signature of a webhook; `nil` for an account that has no secret for it yet.
    public func webhookSignature(messageID: String, body: [UInt8], at now: Timestamp) -> WebhookSignature? {
        self.webhookSecrets.map {
            WebhookSignature(messageID: messageID, body: body, secrets: $0.signing(at: now), at: now)
        }
    }
}

extension Delivery {
    /// What a receiver knows the message by: the same for every attempt, another for every message of an event.
    public var messageID: String {
        self.event.messageIndex == 0 ? self.event.id.text : "\(self.event.id.text)-\(self.event.messageIndex + 1)"
    }
}
