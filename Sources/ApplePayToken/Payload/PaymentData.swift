//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Redaction

/// The cryptographic proof of a payment, of one of two kinds.
public enum PaymentData: Hashable, Sendable {
    case threeDSecure(ThreeDSecureData)
    case emv(EMVData)

    /// What `paymentDataType` says.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case threeDSecure = "3DSecure"
        case emv = "EMV"
    }

    public var type: Kind {
        switch self {
        case .threeDSecure: .threeDSecure
        case .emv: .emv
        }
    }
}

/// A 3-D Secure proof.
public struct ThreeDSecureData: Hashable, Sendable {
    /// The online payment cryptogram, decoded.
    public let cryptogram: Redacted<[UInt8]>
    /// The same in base64, as written: most acquirers want it so.
    public let cryptogramText: Redacted<String>
    /// The electronic commerce indicator, one or two digits as written; nil where the network gives none. It must be
    /// passed on when it is there.
    public let eciIndicator: String?
}

/// An EMV proof, as in China mainland.
public struct EMVData: Hashable, Sendable {
    /// The EMV data objects, decoded.
    public let emvData: Redacted<[UInt8]>
    /// The same in base64, as written.
    public let emvDataText: Redacted<String>
    /// The PIN under the bank's key, hexadecimal as written. Optional: genuine tokens come without it.
    public let encryptedPINData: Redacted<String>?
}

/// The proof for one of the merchants of a multi-merchant payment.
public struct AuthenticationResponse: Hashable, Sendable {
    /// The merchant as Apple names it here: 64 hexadecimal digits, a hash.
    public let merchantIdentifier: String
    /// The cryptogram for this merchant, in base64 as written.
    public let authenticationData: Redacted<String>
    /// The amount for this merchant, a string of digits as written.
    public let transactionAmount: String
}

/// What the wallet knows about the card behind a merchant token.
public struct MerchantTokenMetadata: Hashable, Sendable {
    public struct CardArt: Hashable, Sendable {
        public let name: String?
        public let type: String?
        public let url: String?
    }

    public struct CardMetadata: Hashable, Sendable {
        public let cardCountry: String?
        public let expirationDate: String?
        /// The last digits of the number on the card.
        public let fpanSuffix: String?
        public let longDescription: String?
        public let shortDescription: String?
    }

    public let cardArt: [CardArt]
    public let cardMetadata: CardMetadata?
}
