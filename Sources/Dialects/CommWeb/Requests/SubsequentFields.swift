//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money

/// What a request says that follows an order's first transaction: a capture, a refund, a void or an update.
struct SubsequentFields: Sendable {
    static let targetPath = "transaction.targetTransactionId"

    let currency: Currency?
    let amount: Money?
    let targetTransactionID: String?
    let reference: String?
    let notifyURL: String?

    /// - Parameter requiresAmount: whether `transaction.amount` and `transaction.currency` must be given.
    init(
        reading fields: RequestFields, for merchant: MerchantContext, requiresAmount: Bool
    ) throws(CommWebError) {
        self.currency = try fields.currency("transaction.currency")
        if requiresAmount {
            guard fields.contains("transaction.amount") else { throw .missing("transaction.amount") }
            guard let currency = self.currency else { throw .missing("transaction.currency") }
            self.amount = try fields.amount("transaction.amount", in: currency)
        } else {
            self.amount = nil
        }
        self.targetTransactionID = try fields.text(Self.targetPath, max: 40)
        self.reference = try fields.text("transaction.reference", max: 200)
        _ = try fields.text("order.reference", max: 200)
        self.notifyURL = try fields.notificationURL(for: merchant)
    }
}
