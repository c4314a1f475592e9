//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// An amount: minor units of a currency. There is no way from or to floating point.
///
/// Arithmetic on amounts of different currencies, or beyond `Int64`, is a programmer's error and traps; at the edge,
/// where amounts come from outside, use the initializers of AmountText.swift and ``adding(_:)``, which refuse.
public struct Money: Hashable, Sendable, CustomStringConvertible {
    /// The amount in the currency's minor unit: 1099 for 10.99 CAD.
    public let minorUnits: Int64
    public let currency: Currency

    public init(minorUnits: Int64, currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    public static func zero(_ currency: Currency) -> Money { Money(minorUnits: 0, currency: currency) }

    public var isZero: Bool { self.minorUnits == 0 }

    public var isPositive: Bool { self.minorUnits > 0 }

    /// The sum, or `nil` where it would overflow or the currencies differ.
    public func adding(_ other: Money) -> Money? {
        guard self.currency == other.currency else { return nil }
        let (sum, overflow) = self.minorUnits.addingReportingOverflow(other.minorUnits)
        return overflow ? nil : Money(minorUnits: sum, currency: self.currency)
    }

    public static func + (lhs: Money, rhs: Money) -> Money {
        precondition(lhs.currency == rhs.currency, "amounts of different currencies were added")
        return Money(minorUnits: lhs.minorUnits + rhs.minorUnits, currency: lhs.currency)
    }

    public static func - (lhs: Money, rhs: Money) -> Money {
        precondition(lhs.currency == rhs.currency, "amounts of different currencies were subtracted")
        return Money(minorUnits: lhs.minorUnits - rhs.minorUnits, currency: lhs.currency)
    }

    /// As much of it as whole units of so many minor units are.
    public func wholeUnits(of minorUnits: Int64) -> Money {
        precondition(minorUnits > 0, "a unit is at least one minor unit")
        return Money(minorUnits: self.minorUnits - self.minorUnits % minorUnits, currency: self.currency)
    }

    /// Whether this amount is greater than another of the same currency.
    public static func > (lhs: Money, rhs: Money) -> Bool {
        precondition(lhs.currency == rhs.currency, "amounts of different currencies were compared")
        return lhs.minorUnits > rhs.minorUnits
    }

    /// "10.99 CAD".
    public var description: String { "\(self.decimalText) \(self.currency.code)" }
}
