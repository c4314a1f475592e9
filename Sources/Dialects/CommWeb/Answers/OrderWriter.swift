//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StrictJSON
import Time

extension TransactionWriter {
    /// The order's fields, without "order.": RETRIEVE_ORDER has them at the top.
    ///
    /// - Parameter payment: the order's payment that is reported; the order's sums are those of this payment, since of
    ///   an order's payments only the last can have moved money.
    func order(_ id: String, of order: Order?, _ payment: Payment) -> AnswerFields {
        let labels = payment.opening?.labels.fields ?? [:]
        let currency = payment.amount.currency
        // After an update the order is worth what is authorized.
        let isUpdated = payment.operations.contains { $0.kind == .adjustment && $0.state == .succeeded }
        let amount = isUpdated ? payment.authorizedAmount : payment.amount
        var fields = AnswerFields()
        fields.set("amount", amount)
        fields.set("authenticationStatus", Self.authenticationStatus)
        fields.set("certainty", labels[TransactionLabel.certainty] ?? OrderCertainty.final.rawValue)
        if payment.chargedBackAmount.isZero {
            fields["chargeback.amount"] = 0
        } else {
            fields.set("chargeback.amount", payment.chargedBackAmount)
        }
        fields.set("chargeback.currency", currency.code)
        fields.set("creationTime", (order?.createdAt ?? payment.createdAt).rfc3339Milliseconds)
        fields.set("currency", currency.code)
        fields.set("description", labels[TransactionLabel.description])
        fields.set("id", id)
        fields.set("lastUpdatedTime", self.lastUpdatedTime(payment))
        fields.set("merchantAmount", amount)
        fields.set("merchantCategoryCode", Acceptor(of: payment, self.merchant).categoryCode)
        fields.set("merchantCurrency", currency.code)
        fields.set("reference", labels[TransactionLabel.orderReference])
        fields.set("status", OrderStatus(of: payment).rawValue)
        // Of a voided order nothing is authorized any more.
        fields.set("totalAuthorizedAmount", payment.state == .voided ? .zero(currency) : payment.authorizedAmount)
        fields.set("totalCapturedAmount", payment.capturedAmount)
        fields.set("totalDisbursedAmount", .zero(currency))
        fields.set("totalRefundedAmount", payment.refundedAmount)
        fields.set("walletProvider", labels[TransactionLabel.wallet])
        return fields
    }

    private func lastUpdatedTime(_ payment: Payment) -> String {
        let times = payment.operations.map { $0.resolvedAt ?? $0.begunAt }
        return (times.max() ?? payment.createdAt).rfc3339Milliseconds
    }
}
