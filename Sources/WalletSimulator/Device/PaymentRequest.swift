//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import StrictJSON

/// What a merchant asks the device for, as far as it ends in a token.
public struct PaymentRequest: Hashable, Sendable {
    /// What the payload's `paymentData` holds: an online cryptogram, or chip data.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case threeDSecure = "3DSecure"
        case emv = "EMV"
    }

    /// How the token is sealed: with ECDH P-256, or with RSA-2048 (China mainland).
    public enum Version: String, Hashable, Sendable, CaseIterable {
        case ecV1 = "EC_v1"
        case rsaV1 = "RSA_v1"
    }

    /// A number that belongs to the merchant instead of the device, for recurring payments.
    public struct MerchantToken: Hashable, Sendable {
        public var identifier: String
        /// `merchantTokenMetadata`, written as it is.
        public var metadata: JSON?

        public init(identifier: String, metadata: JSON? = nil) {
            self.identifier = identifier
            self.metadata = metadata
        }

        /// A merchant token with metadata of every documented key, for that card.
        public static func sample(card: SimulatedCard, identifier: String = "DSMTSIMULATOR0001") -> MerchantToken {
            MerchantToken(
                identifier: identifier,
                metadata: [
                    "cardArt": [
                        [
                            "name": .string("\(card.name).png"), "type": "image/png",
                            "url": .string("https://wallet-simulator.invalid/art/\(card.name).png"),
                        ]
                    ],
                    "cardMetadata": [
                        "cardCountry": "US", "expirationDate": .string(card.expirationDate),
                        "fpanSuffix": .string(card.fpanSuffix), "longDescription": .string(card.displayName),
                        "shortDescription": .string(card.network.rawValue),
                    ],
                ])
        }
    }

    /// Another merchant's share of a multi-merchant payment.
    public struct AuthenticationResponse: Hashable, Sendable {
        public var merchantIdentifier: String
        /// Base64 in the payload.
        public var authenticationData: [UInt8]
        /// Minor units; a string in the payload.
        public var amountMinorUnits: Int64

        public init(merchantIdentifier: String, authenticationData: [UInt8], amountMinorUnits: Int64) {
            self.merchantIdentifier = merchantIdentifier
            self.authenticationData = authenticationData
            self.amountMinorUnits = amountMinorUnits
        }
    }

    public var merchantIdentifier: String
    /// In the currency's minor units, as `transactionAmount` is written.
    public var amountMinorUnits: Int64
    /// The ISO 4217 numeric code as a text, e.g. "124".
    public var currencyCode: String
    public var kind: Kind
    public var version: Version
    /// The bytes that the merchant attached; the token's header carries their SHA-256.
    public var applicationData: [UInt8]?
    public var merchantToken: MerchantToken?
    public var authenticationResponses: [AuthenticationResponse]
    public var cardholderName: String?
    /// Hexadecimal.
    public var deviceManufacturerIdentifier: String
    /// An EMV payload's PIN block, if the card asks for one online (RSA_v1 only).
    public var encryptedPINData: [UInt8]?
    /// `billingContact` of the JavaScript payment, written as it is.
    public var billingContact: JSON?
    /// `shippingContact` of the JavaScript payment, written as it is.
    public var shippingContact: JSON?

    public init(
        merchantIdentifier: String, amountMinorUnits: Int64, currencyCode: String, kind: Kind = .threeDSecure,
        version: Version = .ecV1, applicationData: [UInt8]? = nil, merchantToken: MerchantToken? = nil,
        authenticationResponses: [AuthenticationResponse] = [], cardholderName: String? = nil,
        deviceManufacturerIdentifier: String = "040010030273", encryptedPINData: [UInt8]? = nil,
        billingContact: JSON? = nil, shippingContact: JSON? = nil
    ) {
        self.merchantIdentifier = merchantIdentifier
        self.amountMinorUnits = amountMinorUnits
        self.currencyCode = currencyCode
        self.kind = kind
        self.version = version
        self.applicationData = applicationData
        self.merchantToken = merchantToken
        self.authenticationResponses = authenticationResponses
        self.cardholderName = cardholderName
        self.deviceManufacturerIdentifier = deviceManufacturerIdentifier
        self.encryptedPINData = encryptedPINData
        self.billingContact = billingContact
        self.shippingContact = shippingContact
    }
}
