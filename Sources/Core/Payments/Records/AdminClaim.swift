//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// That somebody has done something in the administration under an idempotency key: written in the commit that does it,
/// and completed by what was answered.
public struct AdminClaim: Hashable, Sendable {
    public struct Key: Hashable, Sendable {
        /// The token or the session that was used.
        public let holder: String
        /// What the caller calls the call.
        public let key: String

        public init(holder: String, key: String) {
            self.holder = holder
            self.key = key
        }
    }

    public let key: Key
    /// SHA-256 of what was asked, 32 bytes.
    public let digest: [UInt8]
    /// What was answered, sealed under what only the caller has; empty until it is known.
    public var answer: [UInt8]
    public let createdAt: Timestamp
    /// When the key may be used for something else.
    public let expiresAt: Timestamp

    public init(key: Key, digest: [UInt8], answer: [UInt8] = [], createdAt: Timestamp, expiresAt: Timestamp) {
        self.key = key
        self.digest = digest
        self.answer = answer
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
