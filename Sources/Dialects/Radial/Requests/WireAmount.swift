//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money

/// An amount as the wire writes it: `<Amount currencyCode="USD">14.99</Amount>`.
enum WireAmount {
    /// As ISO 8583, field 4 carries amounts to the bank.
    private static let minorUnitsMax: Int64 = 999_999_999_999

    /// The amount, zero included; `nil` for what is none.
    ///
    /// Decimals that the currency does not have may stand if they are zeros: clients write two of them for every
    /// currency.
    static func money(_ element: XMLElement) -> Money? {
        guard let currency = element.attributes["currencyCode"].flatMap(Currency.alphabetic) else { return nil }
        var text = XMLText.collapsed(element.text)
        guard text.utf8.count <= 20 else { return nil }
        if let point = text.firstIndex(of: ".") {
            let decimalsCount = text.distance(from: point, to: text.endIndex) - 1
            guard decimalsCount > 0 else { return nil }
            for _ in 0..<max(0, decimalsCount - currency.exponent) {
                guard text.last == "0" else { return nil }
                text.removeLast()
            }
            if text.last == "." { text.removeLast() }
        }
        do throws(AmountTextError) {
            let money = try Money(decimalText: text, currency: currency)
            return money.minorUnits <= self.minorUnitsMax ? money : nil
        } catch {
            return nil
        }
    }

    static func node(_ name: String, _ money: Money) -> XMLNode {
        XMLNode(name, [.init(name: "currencyCode", value: money.currency.code)], text: money.decimalText)
    }
}
