//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Redaction
public import Time

public enum PersonTag: IdentifierTag { public static let prefix = "per_" }

public typealias PersonID = Identifier<PersonTag>

/// Somebody who administers this Pomona.
public struct Person: Hashable, Sendable, Identifiable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        case active
        /// May not sign in, and is signed in nowhere.
        case suspended
    }

    public let id: PersonID
    /// Unique among people, lower-case; what signs in ("alice").
    public let userName: String
    public var displayName: String
    public var email: String?
    public var role: Role
    /// For these merchants; `nil` for all, those made later included.
    public var merchants: Set<MerchantID>?
    /// What may be refunded at most in one refund, in minor units: nothing in a currency that is not named. `nil` where
    /// there is no limit.
    public var refundLimits: [Currency: Int64]?
    public var state: State
    /// What a password is proved by, as a PHC string (`$scrypt$ln=17,r=8,p=1$…`). `nil` while there is no password.
    public var passwordVerifier: Redacted<String>?
    /// Whether somebody else has made the password, so that it must be changed before anything else.
    public var isPasswordInitial: Bool
    /// Wrong passwords and codes since the last sign-in.
    public var failuresCount: Int
    /// Until when no sign-in succeeds.
    public var lockedUntil: Timestamp?
    /// What lets the person choose a password, once.
    public var invitation: Invitation?
    /// Who this is at an OpenID Connect provider.
    public var externalIdentity: ExternalIdentity?
    public let createdAt: Timestamp
    public var lastSignInAt: Timestamp?
    /// Counts the changes that administrators have made, from 1. A sign-in is none, nor is a new password of the
    /// person's own.
    public var version: Int

    public init(
        id: PersonID, userName: String, displayName: String, email: String? = nil, role: Role,
        merchants: Set<MerchantID>? = nil, refundLimits: [Currency: Int64]? = nil, state: State = .active,
        passwordVerifier: Redacted<String>? = nil, isPasswordInitial: Bool = false, failuresCount: Int = 0,
        lockedUntil: Timestamp? = nil, invitation: Invitation? = nil, externalIdentity: ExternalIdentity? = nil,
        createdAt: Timestamp, lastSignInAt: Timestamp? = nil, version: Int = 1
    ) {
        self.id = id
        self.userName = userName
        self.displayName = displayName
        self.email = email
        self.role = role
        self.merchants = merchants
        self.refundLimits = refundLimits
        self.state = state
        self.passwordVerifier = passwordVerifier
        self.isPasswordInitial = isPasswordInitial
        self.failuresCount = failuresCount
        self.lockedUntil = lockedUntil
        self.invitation = invitation
        self.externalIdentity = externalIdentity
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
        self.version = version
    }

    /// What the person may do, and for whom.
    public var access: Access {
        Access(self.role, merchants: self.merchants, refundLimits: self.refundLimits)
    }

    /// Whether the person may refund so much at once, as far as limits go.
    public func mayRefund(_ amount: Money) -> Bool {
        guard let limits = self.refundLimits else { return true }
        return limits[amount.currency].map { amount.minorUnits <= $0 } ?? false
    }
}

/// A secret that somebody has been handed to choose a password with.
public struct Invitation: Hashable, Sendable {
    /// SHA-256 of the secret, as 64 lower-case hexadecimal digits.
    public let digest: String
    public let endsAt: Timestamp

    public init(digest: String, endsAt: Timestamp) {
        self.digest = digest
        self.endsAt = endsAt
    }
}

/// A person as an OpenID Connect provider knows him (OpenID Connect Core 1.0, section 5.7): the two together are unique
/// and never given to somebody else.
public struct ExternalIdentity: Hashable, Sendable {
    /// "https://login.example".
    public let issuer: String
    public let subject: String

    public init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// Code point by code point, as stores find them and without Unicode normalization (OpenID Connect Core 1.0, section
    /// 14), which Swift's own equality makes.
    public static func == (lhs: ExternalIdentity, rhs: ExternalIdentity) -> Bool {
        lhs.issuer.utf8.elementsEqual(rhs.issuer.utf8) && lhs.subject.utf8.elementsEqual(rhs.subject.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for text in [self.issuer, self.subject] {
            hasher.combine(text.utf8.count)
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}
