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
    /// What the verification of its Apple Pay token showed; `nil` where it came without one.
    public let proof: TokenProof?

    public init(
        maskedPAN: MaskedPAN, network: CardNetwork, expiryYearMonth: String, eci: String?, displayName: String?,
        proof: TokenProof? = nil
    ) {
        self.maskedPAN = maskedPAN
        self.network = network
        self.expiryYearMonth = expiryYearMonth
        self.eci = eci
        self.displayName = displayName
        self.proof = proof
    }

    /// What is known of an Apple Pay token that the acquirer opens: what the device says, which nobody has signed.
    public init(unopened network: CardNetwork, displayName: String?, proof: TokenProof? = nil) {
        self.init(
            maskedPAN: MaskedPAN(prefix: "", suffix: "", length: 0), network: network, expiryYearMonth: "", eci: nil,
            displayName: displayName, proof: proof)
    }

    /// Whether number and expiry are known: the token was opened here.
    public var isOpened: Bool { !self.expiryYearMonth.isEmpty }
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

/// What an acquirer is handed to authorize.
public enum PaymentInstrument: Sendable {
    /// For acquirers that take the network token, opened here.
    case networkToken(NetworkToken)
    /// For acquirers that open Apple Pay tokens themselves.
    case sealedApplePayToken(SealedApplePayToken)
}

/// An Apple Pay token that has been verified and not opened, with what the device says beside it (PKPaymentToken).
public struct SealedApplePayToken: Hashable, Sendable {
    /// The paymentData JSON: the same members and values as it came with.
    public let paymentData: Redacted<[UInt8]>
    /// Hexadecimal.
    public let transactionIdentifier: String
    /// paymentMethod.network: "Visa". The device's word.
    public let network: String?
    /// paymentMethod.type: "debit".
    public let methodType: String?
    /// paymentMethod.displayName: "Visa 1234".
    public let displayName: String?

    public init(
        paymentData: Redacted<[UInt8]>, transactionIdentifier: String = "", network: String? = nil,
        methodType: String? = nil, displayName: String? = nil
    ) {
        self.paymentData = paymentData
        self.transactionIdentifier = transactionIdentifier
        self.network = network
        self.methodType = methodType
        self.displayName = displayName
    }
}
