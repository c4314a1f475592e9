//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Redaction

/// What a payment was paid with, as far as it may be kept: nothing here can be charged again.
public struct InstrumentSummary: Hashable, Sendable {
    /// The device account number, all but the first six and last four digits masked.
    public let maskedPAN: MaskedPAN
    public let network: CardNetwork
    /// "YYMM".
    public let expiryYearMonth: String
    /// The electronic commerce indicator of the token, where it had one.
    public let eci: String?
    /// The card's name as the wallet shows it ("Visa 1234"): the device's word, not signed.
    public let displayName: String?

    public init(
        maskedPAN: MaskedPAN, network: CardNetwork, expiryYearMonth: String, eci: String?, displayName: String?
    ) {
        self.maskedPAN = maskedPAN
        self.network = network
        self.expiryYearMonth = expiryYearMonth
        self.eci = eci
        self.displayName = displayName
    }
}

/// A network token or card number, opened: what a bank link sends to authorize. It lives in memory for one authorization
/// and is never stored.
public struct NetworkToken: Sendable {
    /// What proves that the device made this payment.
    public enum Proof: Sendable {
        /// A 3-D Secure cryptogram.
        case cryptogram(Redacted<[UInt8]>)
        /// EMV tags (TLV), and the encrypted PIN where the terminal asked for one.
        case emv(data: Redacted<[UInt8]>, encryptedPIN: Redacted<String>?)
        /// No device: a card number, with its security code (CVV2) where the customer gave it.
        case securityCode(Redacted<String>?)
    }

    /// The device account number (DPAN) or card number, 12–19 digits.
    public let pan: Redacted<String>
    /// "YYMM".
    public let expiryYearMonth: String
    public let proof: Proof
    public let eci: String?

    public init(pan: Redacted<String>, expiryYearMonth: String, proof: Proof, eci: String?) {
        self.pan = pan
        self.expiryYearMonth = expiryYearMonth
        self.proof = proof
        self.eci = eci
    }
}

/// Where the cardholder's statements go, for the issuer's check of the address (AVS).
public struct BillingAddress: Hashable, Sendable {
    public var line1: String?
    public var city: String?
    /// State or province.
    public var mainDivision: String?
    public var postalCode: String?
    /// ISO 3166-1 alpha-2.
    public var countryCode: String?

    public init(
        line1: String? = nil, city: String? = nil, mainDivision: String? = nil, postalCode: String? = nil,
        countryCode: String? = nil
    ) {
        self.line1 = line1
        self.city = city
        self.mainDivision = mainDivision
        self.postalCode = postalCode
        self.countryCode = countryCode
    }
}

/// What an acquirer is handed to authorize.
public enum PaymentInstrument: Sendable {
    /// For acquirers that take the network token, opened here.
    case networkToken(NetworkToken)
    /// For acquirers that open Apple Pay tokens themselves: the paymentData JSON as it came.
    case sealedApplePayToken(Redacted<[UInt8]>)
}
