//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Where a sealed value stands.
public enum SealedPlace: Hashable, Sendable {
    case accountSecret(MerchantID, DialectName, name: String)
    case appleCredential(MerchantID, id: String)
    case acquirerSecret(AcquirerAccountID, name: String)
    case keptItem(KeptItemName)
    case acquirerMemo(OperationID, StoredMemo.Part)
    /// The key of a person's second factor.
    case secondFactor(PersonID)
    /// A part of what waits for a second person.
    case approvalContent(ApprovalID, ApprovalContent.Part)
    /// What the gateway keeps for itself ("audit").
    case storeSecret(name: String)

    /// The kinds of places, each of which can be listed.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case accountSecret, appleCredential, acquirerSecret, keptItem, acquirerMemo, secondFactor, approvalContent,
            storeSecret
    }

    public var kind: Kind {
        switch self {
        case .accountSecret: .accountSecret
        case .appleCredential: .appleCredential
        case .acquirerSecret: .acquirerSecret
        case .keptItem: .keptItem
        case .acquirerMemo: .acquirerMemo
        case .secondFactor: .secondFactor
        case .approvalContent: .approvalContent
        case .storeSecret: .storeSecret
        }
    }
}

/// A sealed value and where it stands.
public struct SealedValue: Hashable, Sendable {
    public let place: SealedPlace
    public let bytes: SealedBytes

    public init(place: SealedPlace, bytes: SealedBytes) {
        self.place = place
        self.bytes = bytes
    }
}
