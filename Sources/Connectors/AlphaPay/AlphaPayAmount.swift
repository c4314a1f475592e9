//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// Which amounts AlphaPay takes: texts of "the minimum denomination unit of given currency" (AlphaPay, "Apple Pay").
enum AlphaPayAmount {
    /// The currencies that are documented for Apple Pay, with the decimals that AlphaPay counts them in.
    static let decimals = ["CAD": 2]

    /// AlphaPay documents no bounds. These are within what any of its fields can hold.
    static let minorUnits = 1...Int64(999_999_999_999)

    static let terms: [Currency: CurrencyTerms] = {
        var terms: [Currency: CurrencyTerms] = [:]
        for (code, exponent) in Self.decimals {
            guard let currency = Currency.alphabetic(code) else { continue }
            terms[currency] = CurrencyTerms(exponent: exponent, minorUnits: Self.minorUnits)
        }
        return terms
    }()

    /// `nil` for an amount that can be sent as it is.
    static func refusal(_ amount: Money) -> NotProcessed? {
        AcquirerCapabilities(currencies: self.terms, recovery: .reversal).obstacle(to: amount).map {
            NotProcessed(.requestRefused, $0.rawValue)
        }
    }
}
