//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
public import Time

/// What makes a call the same call: the merchant, the dialect, the operation and the key that the dialect defines.
public struct IdempotencyKey: Hashable, Sendable {
    public let merchantID: MerchantID
    public let dialect: DialectName
    /// The dialect's name for the operation: "refund".
    public let operation: String
    /// The key on the wire: a refundRequestId, a URL.
    public let key: String

    public init(merchantID: MerchantID, dialect: DialectName, operation: String, key: String) {
        self.merchantID = merchantID
        self.dialect = dialect
        self.operation = operation
        self.key = key
    }

    /// What an operation is called that has been claimed by the key: its kind is the key's operation, its value the key.
    public var reference: Reference {
        Reference(merchantID: self.merchantID, dialect: self.dialect, kind: self.operation, value: self.key)
    }

    // By the key's bytes, as stores compare it: what Unicode takes for the same text (Unicode Standard, section 3.7) is another
    // key.
    public static func == (lhs: IdempotencyKey, rhs: IdempotencyKey) -> Bool { lhs.reference == rhs.reference }

    public func hash(into hasher: inout Hasher) { hasher.combine(self.reference) }
}

/// A key that has been used. It is written in the commit that begins the work and never changes: the answer follows
/// from its subject. It stays for ever, or for as long as its operator wants repeats to be known.
public struct IdempotencyClaim: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
        case order(OrderID)
        case operation(PaymentID, OperationID)
    }

    /// No claim is deleted before: a call is repeated for days at the most.
    public static let secondsKeptMin: Int64 = 90 * 86_400

    public let key: IdempotencyKey
    /// SHA-256 of what was asked. The same key with another digest is refused, never replayed.
    public let digest: [UInt8]
    public let subject: Subject
    public let createdAt: Timestamp

    public init(key: IdempotencyKey, digest: [UInt8], subject: Subject, createdAt: Timestamp) {
        self.key = key
        self.digest = digest
        self.subject = subject
        self.createdAt = createdAt
    }
}

/// A name by which a dialect knows something of ours: TapPay's rec_trade_id, PAYONE's txid, AlphaPay's refundId. Unique
/// per merchant, dialect and kind. A key by which an operation was claimed is one of them, and a dialect's kinds are other
/// names than those of its claims, unless they mean the same.
public struct Reference: Hashable, Sendable {
    public let merchantID: MerchantID
    public let dialect: DialectName
    /// "refundRequestId".
    public let kind: String
    public let value: String

    public init(merchantID: MerchantID, dialect: DialectName, kind: String, value: String) {
        self.merchantID = merchantID
        self.dialect = dialect
        self.kind = kind
        self.value = value
    }

    // By their bytes, as stores compare names: what Unicode takes for the same text (Unicode Standard, section 3.7) is another
    // name.
    public static func == (lhs: Reference, rhs: Reference) -> Bool {
        lhs.merchantID == rhs.merchantID && lhs.dialect == rhs.dialect && lhs.kind.isExactly(rhs.kind)
            && lhs.value.isExactly(rhs.value)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.merchantID)
        hasher.combine(self.dialect)
        hasher.combine(ExactText(self.kind))
        hasher.combine(ExactText(self.value))
    }
}
