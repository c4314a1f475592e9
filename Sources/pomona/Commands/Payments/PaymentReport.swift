//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Ledger
import Money
import Payments
import Redaction
import StrictJSON
import Time

/// A payment as JSON and in words.
struct PaymentReport {
    private let payment: Payment
    private let merchantName: String

    init(_ payment: Payment, merchantName: String) {
        self.payment = payment
        self.merchantName = merchantName
    }

    /// Without operations.
    var summaryJSON: JSON { .object(self.payment.summaryView(merchant: self.merchantName)) }

    var fields: Fields {
        let payment = self.payment
        var fields = Fields()
        fields.add("payment", payment.id.text)
        fields.add("merchant", "\(self.merchantName) (\(payment.mode.rawValue)), through \(payment.dialect.text)")
        fields.add("order", payment.orderID?.text)
        fields.add("state", payment.stateWords)
        fields.add("amount", payment.amount.description)
        fields.add("authorized", payment.authorizedAmount.description)
        fields.add("captured", payment.capturedAmount.description)
        fields.add("refunded", payment.refundedAmount.description)
        let chargedBack = payment.chargedBackAmount
        fields.add("charged back", chargedBack.isPositive ? chargedBack.description : nil)
        fields.add("card", payment.instrument.words)
        fields.add("acquirer", payment.acquirer.text)
        fields.add("created", payment.createdAt.description)
        return fields
    }
}

extension Payment {
    /// "authorization unknown, being reversed".
    var stateWords: String { self.state.words + (self.isBeingReversed ? ", being reversed" : "") }
}

extension PaymentState {
    /// "partially refunded".
    var words: String { self.rawValue.spaced }
}

extension InstrumentSummary {
    /// "489537xxxxxx5671 (visa), expires 12/31, ECI 7".
    var words: String {
        let expiry = "\(self.expiryYearMonth.suffix(2))/\(self.expiryYearMonth.prefix(2))"
        let eci = self.eci.map { ", ECI \($0)" } ?? ""
        return "\(self.maskedPAN) (\(self.network.rawValue)), expires \(expiry)\(eci)"
    }
}

extension Operation {
    /// "capture (final)".
    var words: String { self.kind.rawValue + (self.isFinalCapture ? " (final)" : "") }
}
