//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

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
