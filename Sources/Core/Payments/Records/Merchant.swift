//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// One tenant.
public struct Merchant: Hashable, Sendable, Identifiable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        case active
        /// Takes no new payments; what has begun can be captured, refunded and looked up.
        case suspended
        /// Its accounts are not known to the wire any more. What has begun still comes to its end.
        case closed
    }

    public let id: MerchantID
    /// Unique among merchants; what commands call it ("alphapay").
    public let name: String
    /// What the customer sees in the payment sheet.
    public var displayName: String
    public let mode: Mode
    /// ISO 3166-1 alpha-2.
    public var countryCode: String
    /// Where its days begin and end, by the zone's name in the IANA time zone database: "Europe/Berlin".
    public var timeZone: String
    public let createdAt: Timestamp
    public var state: State

    public static let defaultTimeZone = "UTC"

    public init(
        id: MerchantID, name: String, displayName: String, mode: Mode, countryCode: String,
        timeZone: String = Self.defaultTimeZone, createdAt: Timestamp, state: State = .active
    ) {
        self.id = id
        self.name = name
        self.displayName = displayName
        self.mode = mode
        self.countryCode = countryCode
        self.timeZone = timeZone
        self.createdAt = createdAt
        self.state = state
    }
}

/// A merchant's account in one dialect: how its calls are recognised, and what the dialect needs to know of it.
public struct MerchantAccount: Hashable, Sendable {
    public let merchantID: MerchantID
    public let dialect: DialectName
    /// What the wire calls the account (AlphaPay's Merchant-Code). Unique in the dialect.
    public let key: String
    /// Further names by which the wire finds the account, in any order. Unique in the dialect, together with the keys.
    public let aliases: Set<String>
    /// What may be read by anybody who may read the store, public keys among it.
    public let settings: [String: String]
    /// Private keys and passwords, by name, sealed.
    public let secrets: [String: SealedBytes]

    public init(
        merchantID: MerchantID, dialect: DialectName, key: String, aliases: Set<String> = [],
        settings: [String: String], secrets: [String: SealedBytes]
    ) {
        self.merchantID = merchantID
        self.dialect = dialect
        self.key = key
        self.aliases = aliases
        self.settings = settings
        self.secrets = secrets
    }
}
