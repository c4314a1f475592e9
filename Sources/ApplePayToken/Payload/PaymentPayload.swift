//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
public import Redaction

/// What was inside the token (Apple, "Payment token format reference", Payment data keys). Amount and currency are as
/// Apple wrote them: this library knows no money.
public struct PaymentPayload: Hashable, Sendable {
    /// The device account number (DPAN), 12–19 digits. Not the number on the card.
    public let applicationPrimaryAccountNumber: Redacted<String>
    public let applicationExpirationDate: TokenExpirationDate
    public let currencyCode: TokenCurrencyCode
    public let transactionAmount: TokenAmount
    /// This and the other optional members are nil also where the token has something else than text, a list or an object
    /// there: they decide nothing.
    public let cardholderName: Redacted<String>?
    /// Hexadecimal, as written.
    public let deviceManufacturerIdentifier: String
    /// The proof that the card was there.
    public let paymentData: PaymentData
    /// One for each further merchant of a multi-merchant payment, as far as it can be read; empty otherwise.
    public let authenticationResponses: [AuthenticationResponse]
    /// The identifier of a merchant token (recurring, automatic reload, deferred payments).
    public let merchantTokenIdentifier: String?
    public let merchantTokenMetadata: MerchantTokenMetadata?
}

/// "YYMMDD" of this century.
public struct TokenExpirationDate: Hashable, Sendable, CustomStringConvertible {
    /// Four digits.
    public let year: Int
    public let month: Int
    /// 1–31, and not held against the length of the month: card schemes read year and month only.
    public let day: Int

    /// - Returns: Nil for anything but six digits with a month of 1–12 and a day of 1–31.
    public init?(_ text: String) {
        let digits = text.utf8.map { Int($0) - 0x30 }
        guard digits.count == 6, digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        self.year = 2_000 + digits[0] * 10 + digits[1]
        self.month = digits[2] * 10 + digits[3]
        self.day = digits[4] * 10 + digits[5]
        guard (1...12).contains(self.month), (1...31).contains(self.day) else { return nil }
    }

    /// "YYMMDD", as written.
    public var description: String { self.yearAndMonth + Self.twoDigits(self.day) }

    /// "YYMM", as ISO 8583 field 14 has it.
    public var yearAndMonth: String { Self.twoDigits(self.year % 100) + Self.twoDigits(self.month) }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// The numeric code of a currency (ISO 4217).
public struct TokenCurrencyCode: Hashable, Sendable, CustomStringConvertible {
    /// Three digits, e.g. "036".
    public let numericCode: String
    /// As the token has it; devices have been seen to leave leading zeros out.
    public let asWritten: String

    /// - Returns: Nil for anything but one to three digits.
    public init?(_ text: String) {
        guard ASCII.isDigits(text, 1...3) else {
            return nil
        }
        self.asWritten = text
        self.numericCode = String(repeating: "0", count: 3 - text.utf8.count) + text
    }

    public var description: String { self.numericCode }
}

/// The amount of the payment as a JSON number.
public struct TokenAmount: Hashable, Sendable, CustomStringConvertible {
    /// The number as written, e.g. "1099".
    public let text: String
    /// The number, if it is written as an integer: minor units in every token seen.
    public let integer: Int64?

    /// - Returns: Nil for a negative number.
    init?(_ text: String) {
        guard !text.hasPrefix("-") else { return nil }
        self.text = text
        self.integer = Int64(text)
    }

    public var description: String { self.text }
}

extension PaymentPayload: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "PaymentPayload(\(MaskedPAN(self.applicationPrimaryAccountNumber)), \(self.paymentData.type.rawValue))"
    }

    public var debugDescription: String { self.description }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
