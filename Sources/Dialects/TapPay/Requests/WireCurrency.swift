//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import StrictJSON

/// The currencies of the dialect, with the unit and the limits of an amount (TapPay, "Reference", 3. Amount and 4.
/// Currency): whole dollars of TWD, cents of HKD, MYR and USD. JPY has no smaller unit than the yen.
enum WireCurrency: String, Hashable, Sendable, CaseIterable {
    case twd = "TWD"
    case hkd = "HKD"
    case myr = "MYR"
    case usd = "USD"
    case jpy = "JPY"

    init?(_ currency: Currency) {
        self.init(rawValue: currency.code)
    }

    /// How many of ISO 4217's minor units the wire's unit has: ISO gives the TWD two decimals that nobody uses.
    var minorUnitsPerWireUnit: Int64 {
        switch self {
        case .twd: 100
        case .hkd, .myr, .usd, .jpy: 1
        }
    }

    /// The most that one transaction may be, in the wire's unit. The vendor names no limit for JPY; it has the one of
    /// the TWD, in yen.
    var amountMax: Int64 {
        switch self {
        case .twd: 20_000_000
        case .hkd: 25_250_000
        case .myr: 13_500_000
        case .usd: 3_316_900
        case .jpy: 20_000_000
        }
    }

    /// - Returns: `nil` for what is not positive, or beyond what is counted in.
    func money(_ wireUnits: Int64) -> Money? {
        guard wireUnits > 0, let currency = Currency.alphabetic(self.rawValue) else { return nil }
        let (minorUnits, isTooLarge) = wireUnits.multipliedReportingOverflow(by: self.minorUnitsPerWireUnit)
        return isTooLarge || minorUnits > Money.minorUnitsMax ? nil : Money(minorUnits: minorUnits, currency: currency)
    }

    /// The amount in minor units for a bound of a search, cut off at what is counted in.
    func minorUnits(_ wireUnits: Int64) -> Int64 {
        let (minorUnits, isTooLarge) = wireUnits.multipliedReportingOverflow(by: self.minorUnitsPerWireUnit)
        return isTooLarge ? (wireUnits > 0 ? .max : .min) : minorUnits
    }

    /// The amount in the wire's unit. What is less than a unit is cut off: only a bank takes such a part back, and
    /// operators are refused one (`AccountPlan.wireUnit`).
    func wireUnits(_ money: Money) -> Int64 { money.minorUnits / self.minorUnitsPerWireUnit }
}

extension Money {
    /// The amount as the wire writes it. A currency that the dialect does not have counts in its minor unit.
    var wireUnits: Int64 { WireCurrency(self.currency)?.wireUnits(self) ?? self.minorUnits }

    var wireJSON: JSON { JSON(self.wireUnits) }
}

extension Currency {
    /// A currency that the dialect does not have counts in its minor unit.
    var minorUnitsPerWireUnit: Int64 { WireCurrency(self)?.minorUnitsPerWireUnit ?? 1 }
}
