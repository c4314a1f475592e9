//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// Amounts as the gateway writes them: "a string that consists of the characters 0-9 and '.'" of at most 14 characters,
/// with at most three decimals (API reference, order.amount).
enum AmountText {
    static let charactersMax = 14
    static let decimalsMax = 3

    /// Every currency of ISO 4217 that can be written, in the unit it has there. What an account is paid in, only the
    /// merchant's profile at the bank knows.
    static let terms: [Currency: CurrencyTerms] = Dictionary(
        uniqueKeysWithValues: Currency.all.filter { $0.exponent <= Self.decimalsMax }.map { currency in
            // The point takes a character's room.
            let digits = Self.charactersMax - (currency.exponent == 0 ? 0 : 1)
            let most = (0..<digits).reduce(Int64(1)) { power, _ in power * 10 } - 1
            return (currency, CurrencyTerms(exponent: currency.exponent, minorUnits: 1...most))
        })
}

extension Money {
    /// Whether the amount can be written; also of what is none, as a verification is for.
    var isTakenByMPGS: Bool {
        self.minorUnits >= 0 && self.currency.exponent <= AmountText.decimalsMax
            && self.decimalText.utf8.count <= AmountText.charactersMax
    }
}
