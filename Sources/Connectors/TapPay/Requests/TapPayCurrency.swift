//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Money

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
        guard let units = try? TapPayClient.units(amount), (1...currency.unitsMax).contains(units) else {
            throw .amountNotTaken
        }
    }
}

extension TapPayFeatures {
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
