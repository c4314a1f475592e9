//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// What a kept item is called: unique per merchant, dialect and kind.
public struct KeptItemName: Hashable, Sendable {
    public let merchantID: MerchantID
    public let dialect: DialectName
    /// "session".
    public let kind: String
    public let id: String

    public init(merchantID: MerchantID, dialect: DialectName, kind: String, id: String) {
        self.merchantID = merchantID
        self.dialect = dialect
        self.kind = kind
        self.id = id
    }
}

/// Something that a dialect keeps for a merchant for a while, sealed: the fields of a payment session. It is deleted when
/// it has expired.
public struct KeptItem: Hashable, Sendable {
    public let name: KeptItemName
    public let content: SealedBytes
    /// Counts the writings, from 1.
    public let version: Int
    public let createdAt: Timestamp
    public let expiresAt: Timestamp

    public init(name: KeptItemName, content: SealedBytes, version: Int, createdAt: Timestamp, expiresAt: Timestamp) {
        self.name = name
        self.content = content
        self.version = version
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
