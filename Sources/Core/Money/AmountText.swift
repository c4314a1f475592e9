//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// Why a text is not an amount.
public enum AmountTextError: Error, Hashable, Sendable {
    /// Not digits, or not digits with one decimal point where the format has one; also a sign, a blank or an exponent.
    case malformed
    /// More decimal places than the currency has.
    case tooManyDecimals
    /// More than ``Money/minorUnitsMax``.
    case tooLarge
}

extension Money {
    /// The greatest amount that a text may be: ten times as much as the vendors' forms hold of dollars (CommWeb's
    /// `order.amount` has 14 characters), and little enough that the sums of a payment's operations, which are a few thousand,
    /// stay far below 64 bits.
    public static let minorUnitsMax: Int64 = 99_999_999_999_999

    /// An amount written in the minor unit, as AlphaPay, PAYONE and Apple write it: "1099".
    public init(minorUnitText text: String, currency: Currency) throws(AmountTextError) {
        guard !text.isEmpty, Money.isDigits(text[...]) else { throw .malformed }
        guard let value = Int64(text), value <= Self.minorUnitsMax else { throw .tooLarge }
        self.init(minorUnits: value, currency: currency)
    }

    /// An amount written in the major unit with up to as many decimals as the currency has: "10.99", "10.9", "10".
    public init(decimalText text: String, currency: Currency) throws(AmountTextError) {
        try self.init(sumText: text, currency: currency)
        guard self.minorUnits <= Self.minorUnitsMax else { throw .tooLarge }
    }

    /// The same for a sum of amounts, as this program has written it: up to 64 bits.
    public init(sumText text: String, currency: Currency) throws(AmountTextError) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, Money.isDigits(whole) else { throw .malformed }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard parts.count == 1 || !fraction.isEmpty, Money.isDigits(fraction) else { throw .malformed }
        guard fraction.utf8.count <= currency.exponent else { throw .tooManyDecimals }
        let padding = String(repeating: "0", count: currency.exponent - fraction.utf8.count)
        guard let value = Int64(whole + fraction + padding) else { throw .tooLarge }
        self.init(minorUnits: value, currency: currency)
    }

    /// The amount in the major unit with exactly as many decimals as the currency has: "10.99"; "1099" for JPY.
    public var decimalText: String {
        let digits = String(self.minorUnits.magnitude)
        let sign = self.minorUnits < 0 ? "-" : ""
        guard self.currency.exponent > 0 else { return sign + digits }
        let padding = String(repeating: "0", count: max(0, self.currency.exponent + 1 - digits.utf8.count))
        let padded = padding + digits
        return sign + padded.dropLast(self.currency.exponent) + "." + padded.suffix(self.currency.exponent)
    }

    private static func isDigits(_ text: Substring) -> Bool {
        text.utf8.allSatisfy(ASCII.isDigit)
    }
}
