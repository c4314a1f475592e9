//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StrictJSON

/// Limits of refunds, as a person and a policy have them.
extension [Currency: Int64] {
    /// In words, for the audit log: an amount for each currency, by its code.
    ///
    /// - Parameter nothing: where there is no amount.
    func limitsText(orNone nothing: String) -> String {
        guard !self.isEmpty else { return nothing }
        return self.sorted { $0.key.code < $1.key.code }.map { "\(Money(minorUnits: $0.value, currency: $0.key))" }
            .joined(separator: ", ")
    }

    /// "100.00" by the currency's code.
    var view: JSON {
        let texts = self.map { ($0.key.code, Money(minorUnits: $0.value, currency: $0.key).decimalText) }
        return .object(JSONObject(texts: [String: String](texts, uniquingKeysWith: { first, _ in first })))
    }

    /// - Throws: ``AdministrationError`` `refund_limit_invalid`.
    func check() throws(AdministrationError) {
        guard self.values.allSatisfy({ $0 >= 0 }) else {
            throw AdministrationError(.refundLimitInvalid, "A limit of refunds is an amount of zero or more.")
        }
    }
}
