//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// What a person proves himself with beside the password: an app that shows codes (TOTP, RFC 6238), and codes on paper.
public struct SecondFactor: Hashable, Sendable {
    public let personID: PersonID
    /// The app's key, sealed.
    public let content: SealedBytes
    /// When the first right code was shown; `nil` until then, and it proves nothing.
    public var confirmedAt: Timestamp?
    /// The time step of the last code that was taken: neither it nor an earlier one is taken again. 0 before the first.
    public var lastStep: Int64
    /// SHA-256 of each recovery code that has not been used, 32 bytes.
    public var recoveryDigests: [[UInt8]]
    public let createdAt: Timestamp

    public static let digestBytesCount = 32

    public init(
        personID: PersonID, content: SealedBytes, confirmedAt: Timestamp? = nil, lastStep: Int64 = 0,
        recoveryDigests: [[UInt8]] = [], createdAt: Timestamp
    ) {
        self.personID = personID
        self.content = content
        self.confirmedAt = confirmedAt
        self.lastStep = lastStep
        self.recoveryDigests = recoveryDigests
        self.createdAt = createdAt
    }
}
