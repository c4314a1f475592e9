//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

public enum AccessTokenTag: IdentifierTag { public static let prefix = "tok_" }

public typealias AccessTokenID = Identifier<AccessTokenTag>

/// What lets a machine administer. Its secret was shown once, when it was made.
public struct AccessToken: Hashable, Sendable, Identifiable {
    public let id: AccessTokenID
    /// What it is for, as people call it.
    public let name: String
    /// SHA-256 of the secret.
    public let digest: [UInt8]
    public let access: Access
    /// Who has made it: a person's user name, or an operator as the operating system knows him.
    public let madeBy: String
    public let createdAt: Timestamp
    public let endsAt: Timestamp
    public var revokedAt: Timestamp?
    /// To the minute.
    public var lastUsedAt: Timestamp?

    public init(
        id: AccessTokenID, name: String, digest: [UInt8], access: Access, madeBy: String, createdAt: Timestamp,
        endsAt: Timestamp, revokedAt: Timestamp? = nil, lastUsedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.digest = digest
        self.access = access
        self.madeBy = madeBy
        self.createdAt = createdAt
        self.endsAt = endsAt
        self.revokedAt = revokedAt
        self.lastUsedAt = lastUsedAt
    }

    /// Whether it opens anything.
    public func isValid(at now: Timestamp) -> Bool { self.revokedAt == nil && now < self.endsAt }
}
