//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Redaction
public import StrictJSON

/// What a payment is paid with, as far as wire languages have fields for it.
public enum WireInstrument: Sendable {
    /// An Apple Pay token as the wallet made it. The service opens it.
    case sealed(SealedToken)
    /// What somebody else has found in a token.
    case opened(OpenedToken)
    /// A card that was typed.
    case card(TypedCard)
    /// What TapPay's front end gave for a token.
    case prime(Redacted<String>)

    /// What must not be seen of it.
    public var secrets: [Redacted<String>] {
        switch self {
        case .sealed(let token): token.secrets
        case .opened(let token): [token.number, token.cryptogram]
        case .card(let card): [card.number] + [card.securityCode].compactMap { $0 }
        case .prime(let prime): [prime]
        }
    }
}

/// An `ApplePayPaymentToken` (Apple Pay on the Web), or no more than the `paymentData` in it.
public struct SealedToken: Sendable {
    public var paymentData: Redacted<JSON>
    /// `displayName`, `network`, `type`: not signed, for people and for choosing.
    public var paymentMethod: JSON?
    public var transactionIdentifier: String?

    public init(paymentData: JSON, paymentMethod: JSON? = nil, transactionIdentifier: String? = nil) {
        self.paymentData = Redacted(paymentData)
        self.paymentMethod = paymentMethod
        self.transactionIdentifier = transactionIdentifier
    }

    /// Of the whole token; members that it lacks stay away.
    public init(token: JSON) {
        self.init(
            paymentData: token["paymentData"] ?? .null, paymentMethod: token["paymentMethod"],
            transactionIdentifier: token["transactionIdentifier"]?.string)
    }

    /// A part of `paymentData`, by dotted path: "header.publicKeyHash". Empty where there is none.
    func part(_ path: String) -> String { self.paymentData.reveal()[path: path]?.string ?? "" }

    /// The whole token, for a language that takes it so.
    var json: JSON {
        var token = JSONObject()
        token["paymentData"] = self.paymentData.reveal()
        token["paymentMethod"] = self.paymentMethod
        token["transactionIdentifier"] = .string(self.transactionIdentifier ?? self.part("header.transactionId"))
        return .object(token)
    }

    var secrets: [Redacted<String>] {
        ["data", "signature", "header.ephemeralPublicKey", "header.wrappedKey", "header.publicKeyHash"]
            .map(self.part).filter { !$0.isEmpty }.map(Redacted.init)
    }
}

/// What stands in an Apple Pay token, opened.
public struct OpenedToken: Sendable {
    /// The device account number.
    public var number: Redacted<String>
    /// YYMM.
    public var expiryYearMonth: String
    /// `onlinePaymentCryptogram`, in Base64.
    public var cryptogram: Redacted<String>
    public var eci: String?

    public init(number: Redacted<String>, expiryYearMonth: String, cryptogram: Redacted<String>, eci: String? = nil) {
        self.number = number
        self.expiryYearMonth = expiryYearMonth
        self.cryptogram = cryptogram
        self.eci = eci
    }
}

public struct TypedCard: Sendable {
    public var number: Redacted<String>
    /// YYMM.
    public var expiryYearMonth: String
    public var securityCode: Redacted<String>?

    public init(number: Redacted<String>, expiryYearMonth: String, securityCode: Redacted<String>? = nil) {
        self.number = number
        self.expiryYearMonth = expiryYearMonth
        self.securityCode = securityCode
    }
}
