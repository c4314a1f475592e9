//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import DialectKit
import Money
import StrictJSON

/// An amount as the wire writes it: `{"value":"100","currency":"CAD"}` is 1.00 CAD.
struct WireAmount: Hashable, Sendable {
    /// The only currency (AlphaPay, "Apple Pay", order.orderAmount.currency).
    static let currencyCode = "CAD"
    /// Twelve digits, as ISO 8583, field 4 carries amounts to the bank.
    private static let digitsMax = 12

    let minorUnits: Int64
    /// `nil` where the field may be left out and was.
    let currencyCode: String?

    init(reading object: RequestObject, requiresCurrency: Bool) throws(FieldError) {
        let text = try Self.digits(of: object)
        // No sign, no decimal point, no leading zero: "0100" may be a mistake for 100.00.
        guard text.utf8.allSatisfy(ASCII.isDigit), !text.hasPrefix("0"), let minorUnits = Int64(text)
        else {
            throw object.error(
                "value",
                "must be a string of digits without leading zeros, at least \"1\", in cents: \"1099\" for 10.99"
            )
        }
        self.minorUnits = minorUnits
        self.currencyCode =
            requiresCurrency
            ? try object.string("currency", charactersMax: 3) : try object.optionalString("currency", charactersMax: 3)
    }

    /// A string of digits, or a whole number, as clients write it whose amounts are numbers.
    private static func digits(of object: RequestObject) throws(FieldError) -> String {
        let value = object.value("value")
        if let integer = value?.integer, String(integer).utf8.count <= Self.digitsMax { return String(integer) }
        if let value, value.string == nil {
            throw object.error(
                "value",
                "must be a string of digits or a whole number without point and exponent, at most \(Self.digitsMax) "
                    + "digits, in cents: \"1099\" or 1099 for 10.99")
        }
        return try object.string("value", charactersMax: Self.digitsMax)
    }

    /// The amount, if the currency is the one that there is.
    func money() throws(AlphaPayResult) -> Money {
        guard self.currencyCode ?? Self.currencyCode == Self.currencyCode,
            let currency = Currency.alphabetic(Self.currencyCode)
        else { throw AlphaPayResult(.currencyNotSupported) }
        return Money(minorUnits: self.minorUnits, currency: currency)
    }

    static func json(_ money: Money) -> JSON {
        ["value": .string(String(money.minorUnits)), "currency": .string(money.currency.code)]
    }
}
