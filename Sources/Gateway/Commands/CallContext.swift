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

    /// What becomes of an operation that the acquirer did not answer in time.
    public let timeouts: TimeoutPolicy

    public enum TimeoutPolicy: Hashable, Sendable {
        /// The outcome stays unknown until recovery has asked for it.
        case areRecovered
        /// It is taken back at once, for dialects in which a timeout is a failure. A void is recovered all the same.
        case areReversed
    }

    public init(
        merchant: MerchantContext, idempotency: Idempotency?, timeouts: TimeoutPolicy = .areRecovered
    ) {
        self.merchant = merchant
        self.idempotency = idempotency
        self.timeouts = timeouts
    }
}
