//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money

/// What a request says that follows an order's first transaction: a capture, a refund, a void or an update.
struct SubsequentFields: Sendable {
    static let targetPath = "transaction.targetTransactionId"
    private static let sourcePath = "sourceOfFunds"

    let currency: Currency?
    let amount: Money?
    let targetTransactionID: String?
    let reference: String?
    let notifyURL: String?

    /// - Parameter operation: all but a VOID require `transaction.amount` and `transaction.currency`, and that what it
    ///   takes back.
    init(
        reading fields: RequestFields, for merchant: MerchantContext, of operation: APIOperation
    ) throws(CommWebError) {
        self.currency = try fields.currency("transaction.currency")
        if operation != .void {
            guard fields.contains("transaction.amount") else { throw .missing("transaction.amount") }
            guard let currency = self.currency else { throw .missing("transaction.currency") }
            self.amount = try fields.amount("transaction.amount", in: currency)
        } else {
            self.amount = nil
        }
        self.targetTransactionID = try fields.text(Self.targetPath, max: 40)
        if operation == .void, self.targetTransactionID == nil { throw .missing(Self.targetPath) }
        // A refund goes where the money came from: to give it to anybody else would be another operation.
        if operation == .refund, fields.containsAny(under: Self.sourcePath) {
            throw .unsupported(Self.sourcePath, "must not be given with a refund, which goes to the card that paid")
        }
        self.reference = try fields.text("transaction.reference", max: PaymentFields.referenceCharactersMax)
        _ = try fields.text("order.reference", max: PaymentFields.referenceCharactersMax)
        self.notifyURL = try fields.notificationURL(for: merchant)
    }
}
