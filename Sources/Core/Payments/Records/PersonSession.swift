//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

public enum PersonSessionTag: IdentifierTag { public static let prefix = "ses_" }

public typealias PersonSessionID = Identifier<PersonSessionTag>

/// That a person is signed in somewhere, or is about to be. Ended sessions are deleted.
public struct PersonSession: Hashable, Sendable, Identifiable {
    /// How far the sign-in has come. Only ``open`` allows anything but the next step.
    public enum Stage: String, Hashable, Sendable, CaseIterable {
        /// The password was right; a code is waited for.
        case secondFactor
        /// The person must enroll a second factor first.
        case enrollment
        /// The person must replace a password that somebody else has made.
        case newPassword
        case open
    }

    public let id: PersonSessionID
    /// SHA-256 of the secret that the browser holds.
    public let digest: [UInt8]
    public let personID: PersonID
    public let stage: Stage
    public let createdAt: Timestamp
    /// To the minute.
    public var lastSeenAt: Timestamp
    /// When it ends, however busy it is.
    public let endsAt: Timestamp
    /// Where it was begun.
    public let address: String?
    public let userAgent: String?

    public init(
        id: PersonSessionID, digest: [UInt8], personID: PersonID, stage: Stage, createdAt: Timestamp,
        lastSeenAt: Timestamp, endsAt: Timestamp, address: String? = nil, userAgent: String? = nil
    ) {
        self.id = id
        self.digest = digest
        self.personID = personID
        self.stage = stage
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.endsAt = endsAt
        self.address = address
        self.userAgent = userAgent
    }
}
