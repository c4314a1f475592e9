//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
public import Money
public import StrictJSON

extension Money {
    /// An amount as answers of JSON APIs have it: a number or a text in the major unit, with as many decimals as there
    /// are, zeros beyond the currency's among them, and perhaps an exponent: 30.1, "30.10", 30.100, 3.01E+1.
    ///
    /// The digits are read as they stand; nothing passes through floating point. `nil` for what is negative, has a part
    /// of a minor unit, is beyond `Int64`, or is no number.
    public init?(_ json: JSON?, currency: Currency) {
        guard let text = json?.numberText ?? json?.string else { return nil }
        self.init(numberText: text, currency: currency)
    }

    init?(numberText text: String, currency: Currency) {
        let halves = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard halves.count <= 2 else { return nil }
        let mantissa = halves[0].split(separator: ".", omittingEmptySubsequences: false)
        let fraction = mantissa.count == 2 ? mantissa[1] : ""
        guard let whole = mantissa.first, ASCII.isDigits(whole), mantissa.count <= 2,
            mantissa.count == 1 || ASCII.isDigits(fraction)
        else { return nil }
        var exponent = 0
        if halves.count == 2 {
            // More digits than any amount has would only take memory.
            guard halves[1].utf8.count <= 4, let read = Int(halves[1]), abs(read) <= 30 else { return nil }
            exponent = read
        }
        guard halves[0].utf8.count <= 60 else { return nil }
        var digits = String(whole + fraction)
        let shift = currency.exponent + exponent - fraction.utf8.count
        if shift >= 0 {
            digits += String(repeating: "0", count: shift)
        } else {
            guard digits.suffix(-shift).allSatisfy({ $0 == "0" }) else { return nil }
            digits = String(digits.dropLast(-shift))
        }
        // All digits were decimals of zero.
        if digits.isEmpty { digits = "0" }
        guard let value = Int64(digits) else { return nil }
        self.init(minorUnits: value, currency: currency)
    }
}
