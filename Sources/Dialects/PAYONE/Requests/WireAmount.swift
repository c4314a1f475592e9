//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money

/// An amount in the smallest unit of its currency; a negative one pays back.
struct WireAmount: Hashable, Sendable {
    let minorUnits: Int64
    let currency: Currency

    init(reading parameters: CheckedParameters) throws(PAYONEError) {
        let text = try parameters.required("amount")
        guard let minorUnits = Int64(text) else { throw PAYONEError(faulty: "amount", "must be a number") }
        guard let currency = Currency.alphabetic(try parameters.required("currency")) else {
            throw PAYONEError(faulty: "currency", "must be a currency")
        }
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// What is to be paid.
    func charge() throws(PAYONEError) -> Money {
        guard self.minorUnits > 0 else {
            throw PAYONEError(faulty: "amount", "must be greater than zero")
        }
        return Money(minorUnits: self.minorUnits, currency: self.currency)
    }

    /// What is to be paid back.
    func credit() throws(PAYONEError) -> Money {
        guard self.minorUnits != 0 else {
            throw PAYONEError(faulty: "amount", "must be negative: the balance is zero, and there is nothing to settle")
        }
        guard self.minorUnits < 0 else {
            throw PAYONEError(
                faulty: "amount", "must be negative: an Apple Pay token pays once, and nothing more can be collected")
        }
        return Money(minorUnits: -self.minorUnits, currency: self.currency)
    }
}
