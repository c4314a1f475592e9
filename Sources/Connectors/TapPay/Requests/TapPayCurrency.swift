//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

/// The currencies that TapPay says how it counts (TapPay, "Reference", 3. Amount). It names the JPY too, and nowhere
/// whether 1 is a yen or a hundredth of one: a payment in yen is refused before anything is sent.
enum TapPayCurrency: String, Hashable, Sendable, CaseIterable {
    case twd = "TWD"
    case hkd = "HKD"
    case myr = "MYR"
    case usd = "USD"

    init?(_ currency: Currency) {
        self.init(rawValue: currency.code)
    }

    /// As ISO 4217 has it, and how many decimals TapPay's unit has: TWD are counted in whole dollars.
    var terms: (currency: Currency, terms: CurrencyTerms)? {
        guard let currency = Currency.alphabetic(self.rawValue) else { return nil }
        let exponent = self == .twd ? 0 : 2
        let factor: Int64 = self == .twd ? 100 : 1
        return (currency, CurrencyTerms(exponent: exponent, minorUnits: factor...self.unitsMax * factor))
    }

    /// The most that one transaction may be, in TapPay's unit: whole dollars of TWD, cents of the others.
    var unitsMax: Int64 {
        switch self {
        case .twd: 20_000_000
        case .hkd: 25_250_000
        case .myr: 13_500_000
        case .usd: 3_316_900
        }
    }
}

/// Why an amount is not sent.
enum AmountRefusal: String, Error, Sendable {
    case currencyNotTaken = "currency_not_taken"
    case amountNotTaken = "amount_not_taken"
}

extension TapPayCurrency {
    /// - Throws: ``AmountRefusal`` for what TapPay has no number for.
    static func check(_ amount: Money) throws(AmountRefusal) {
        guard let currency = TapPayCurrency(amount.currency) else { throw .currencyNotTaken }
        // TWD have two decimals in ISO 4217, and no part of a dollar at TapPay.
        guard let (_, terms) = currency.terms, terms.minorUnits.contains(amount.minorUnits),
            terms.units(of: amount) != nil
        else { throw .amountNotTaken }
    }
}

extension TapPayFeatures {
    var terms: [Currency: CurrencyTerms] {
        Dictionary(uniqueKeysWithValues: self.currencies.compactMap(\.terms).map { ($0.currency, $0.terms) })
    }

    /// A payment must be in a currency of the contract; what has been paid can be refunded also after that has changed.
    ///
    /// - Throws: ``AmountRefusal``.
    func check(payment amount: Money) throws(AmountRefusal) {
        guard let currency = TapPayCurrency(amount.currency), self.currencies.contains(currency) else {
            throw .currencyNotTaken
        }
        try TapPayCurrency.check(amount)
    }
}
