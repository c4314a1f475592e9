//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// Amounts as PAYONE counts them: whole numbers of the "smallest currency unit", the one of ISO 4217 in every currency, at
/// most "+/- 19 999 999 99" (PAYONE's Apple Pay page, "amount"). What is paid back is negative.
enum WireAmounts {
    static let maximum: Int64 = 1_999_999_999

    /// Currencies whose smallest unit at PAYONE is another than ISO 4217's. None is documented.
    static let otherExponents: [String: Int] = [:]

    /// Why an amount cannot be asked for.
    static func problem(_ amount: Money, _ currencies: Set<Currency>) -> NotProcessed? {
        guard currencies.contains(amount.currency), self.otherExponents[amount.currency.code] == nil else {
            return NotProcessed(.requestRefused, "currency_not_taken")
        }
        guard (1...self.maximum).contains(amount.minorUnits) else {
            return NotProcessed(.requestRefused, "amount_not_taken")
        }
        return nil
    }
}
