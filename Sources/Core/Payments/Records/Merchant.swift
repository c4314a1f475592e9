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

/// Bytes under the gateway's data key. What is sealed is opened by `Gateway` alone; a store only keeps it.
public struct SealedBytes: Hashable, Sendable {
    /// Which data key sealed them.
    public let keyID: String
    /// Nonce, ciphertext and tag.
    public let box: [UInt8]

    public init(keyID: String, box: [UInt8]) {
        self.keyID = keyID
        self.box = box
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

/// A key pair that Apple has certified for a merchant, or is about to.
public struct AppleCredential: Hashable, Sendable, Identifiable {
    public enum Purpose: String, Hashable, Sendable, CaseIterable {
        case paymentProcessing
        case merchantIdentity
    }

    public enum State: String, Hashable, Sendable, CaseIterable {
        /// The certificate has not come back from Apple yet.
        case requested
        /// The certificate is there and is not used.
        case imported
        case active
        /// It was in use and is not used any more.
        case retired
    }

    /// SHA-256 of the public key's SubjectPublicKeyInfo, hex: what a token's publicKeyHash names.
    public let id: String
    public let merchantID: MerchantID
    public let purpose: Purpose
    /// "merchant.com.example.shop".
    public let merchantIdentifier: String
    /// `nil` until Apple's certificate has been imported.
    public let certificatePEM: String?
    public let notAfter: Timestamp?
    public let sealedPrivateKey: SealedBytes
    public let createdAt: Timestamp
    public var state: State

    /// - Parameter state: `nil` for one that is in use as soon as its certificate is there.
    public init(
        id: String, merchantID: MerchantID, purpose: Purpose, merchantIdentifier: String, certificatePEM: String?,
        notAfter: Timestamp?, sealedPrivateKey: SealedBytes, createdAt: Timestamp, state: State? = nil
    ) {
        self.id = id
        self.merchantID = merchantID
        self.purpose = purpose
        self.merchantIdentifier = merchantIdentifier
        self.certificatePEM = certificatePEM
        self.notAfter = notAfter
        self.sealedPrivateKey = sealedPrivateKey
        self.createdAt = createdAt
        self.state = state ?? (certificatePEM == nil ? .requested : .active)
    }

    /// Whether its key opens tokens, or its certificate is shown to Apple.
    public var isInUse: Bool { self.state == .active && self.certificatePEM != nil }

    /// Those for the same that are in use and run longer. That one is in use here does not say that Apple knows of it: tokens
    /// that come for it do.
    public func followers(among others: [AppleCredential]) -> [AppleCredential] {
        guard let notAfter = self.notAfter else { return [] }
        return others.filter { other in
            other.id != self.id && other.isInUse && other.merchantID == self.merchantID && other.purpose == self.purpose
                && other.merchantIdentifier == self.merchantIdentifier && (other.notAfter ?? notAfter) > notAfter
        }
    }

    /// Whether another one has taken its place: then its end stops no payment.
    ///
    /// - Parameter hasOpened: whether a token has come for the key. Of a merchant identity nothing is seen.
    public func isFollowed(among others: [AppleCredential], hasOpened: (AppleCredential) -> Bool) -> Bool {
        self.followers(among: others).contains { $0.purpose == .merchantIdentity || hasOpened($0) }
    }
}

/// A data key, itself sealed under the master key.
public struct SealedDataKey: Hashable, Sendable {
    public let id: String
    public let box: [UInt8]
    public let createdAt: Timestamp

    public init(id: String, box: [UInt8], createdAt: Timestamp) {
        self.id = id
        self.box = box
        self.createdAt = createdAt
    }
}
