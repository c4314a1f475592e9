//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// Something that was seen, kept for whoever looks later. Nothing is decided by it, and nothing of a card or a secret is in
/// it.
public struct Observation: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An attempt to deliver a webhook. The subject is the event's id; the number counts the event's attempts.
        case delivery
        /// A token was opened with one of the merchant's keys. The subject is the key's id; number 0 is the first time,
        /// number 1 the last one, to about a minute.
        case keyUse
        /// A caller has proved to be the merchant, the last time to about ten minutes. The subject is "DIALECT/PLACE",
        /// the secret or the setting of the account in which the credential stands; the number is 0.
        case credentialUse
    }

    public let kind: Kind
    public let merchantID: MerchantID
    public let subject: String
    public let number: Int
    public let at: Timestamp
    public let facts: [String: String]

    public init(
        kind: Kind, merchantID: MerchantID, subject: String, number: Int, at: Timestamp, facts: [String: String] = [:]
    ) {
        self.kind = kind
        self.merchantID = merchantID
        self.subject = subject
        self.number = number
        self.at = at
        self.facts = facts
    }
}
