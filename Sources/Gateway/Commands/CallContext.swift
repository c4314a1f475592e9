//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Who calls, and what makes the call the same call.
public struct CallContext: Sendable {
    public let merchant: MerchantContext
    /// `nil` for a call that can't be repeated safely because the dialect gives it no key.
    public let idempotency: Idempotency?

    /// A dialect's key for one call, and the digest of what it asks.
    public struct Idempotency: Hashable, Sendable {
        /// The dialect's name for the operation: "refund".
        public let operation: String
        /// The key on the wire.
        public let key: String
        /// SHA-256 of what is asked for. See ``requestDigest(_:)``.
        public let digest: [UInt8]

        public init(operation: String, key: String, digest: [UInt8]) {
            self.operation = operation
            self.key = key
            self.digest = digest
        }
    }

    public init(merchant: MerchantContext, idempotency: Idempotency?) {
        self.merchant = merchant
        self.idempotency = idempotency
    }
}
