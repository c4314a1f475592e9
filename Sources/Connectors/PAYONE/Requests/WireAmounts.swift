//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// Amounts as PAYONE counts them: whole numbers of the "smallest currency unit", the one of ISO 4217 in every currency (no
/// other is documented), at most "+/- 19 999 999 99" (PAYONE's Apple Pay page, "amount"). What is paid back is negative.
enum WireAmounts {
    static let minorUnits: ClosedRange<Int64> = 1...1_999_999_999

    static func terms(_ currencies: Set<Currency>) -> [Currency: CurrencyTerms] {
        .asInISO4217(currencies, minorUnits: self.minorUnits)
    }
}
