//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

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
}
