//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

public enum SettlementFileTag: IdentifierTag { public static let prefix = "set_" }

public typealias SettlementFileID = Identifier<SettlementFileTag>

/// A file in which an acquirer has listed what it settles under an account. Written once, never changed; the file itself
/// is not kept, only what its lines say of money.
public struct SettlementFile: Hashable, Sendable, Identifiable {
    public let id: SettlementFileID
    public let merchantID: MerchantID
    public let accountID: AcquirerAccountID
    /// What the operator's file was called.
    public let name: String
    /// By which mapping it was read: "mpgs".
    public let mapping: String
    /// SHA-256 of its bytes, 32 bytes; where they were imported for other days before, of that and its days. The same file
    /// is imported once for the same days.
    public let digest: [UInt8]
    public let linesCount: Int
    /// The first moment of the time in which the account's movements were expected in it.
    public let from: Timestamp
    /// The first moment after that time.
    public let to: Timestamp
    public let importedAt: Timestamp
    public let importedBy: String
    /// Of a file that is booked in several commits each part but the last has this, and none that an earlier version of this
    /// program has written.
    public let part: Part?

    /// Of what a part is one, so that it is seen whether the others came, too.
    public struct Part: Hashable, Sendable {
        /// The digest of the last part, by which the whole file is known to be imported.
        public let wholeDigest: [UInt8]
        /// How many lines all parts have, as it was when this one was booked.
        public let wholeLinesCount: Int

        public init(wholeDigest: [UInt8], wholeLinesCount: Int) {
            self.wholeDigest = wholeDigest
            self.wholeLinesCount = wholeLinesCount
        }
    }

    public init(
        id: SettlementFileID, merchantID: MerchantID, accountID: AcquirerAccountID, name: String, mapping: String,
        digest: [UInt8], linesCount: Int, from: Timestamp, to: Timestamp, importedAt: Timestamp, importedBy: String,
        part: Part? = nil
    ) {
        self.id = id
        self.merchantID = merchantID
        self.accountID = accountID
        self.name = name
        self.mapping = mapping
        self.digest = digest
        self.linesCount = linesCount
        self.from = from
        self.to = to
        self.importedAt = importedAt
        self.importedBy = importedBy
        self.part = part
    }
}
