//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension IdempotencyClaim {
    /// Without the key, which whoever asks knows.
    public static let columnNames = "digest, order_id, payment_id, operation_id, created_at"

    /// The key's four columns (merchant, dialect, operation, key) and the values of ``columnNames``.
    public var columnValues: RowArguments {
        var orderID: OrderID?
        var paymentID: PaymentID?
        var operationID: OperationID?
        switch self.subject {
        case .order(let id): orderID = id
        case .operation(let payment, let operation): (paymentID, operationID) = (payment, operation)
        }
        return [
            self.key.merchantID.text, self.key.dialect.text, self.key.operation, self.key.key, self.digest,
            orderID?.text, paymentID?.text, operationID?.text, self.createdAt.milliseconds,
        ]
    }

    @inlinable public init(key: IdempotencyKey, _ columns: inout some RowColumns) throws {
        let digest = try columns.bytes()
        let orderID: OrderID? = try columns.optionalID()
        let paymentID: PaymentID? = try columns.optionalID()
        let operationID: OperationID? = try columns.optionalID()
        let subject: Subject
        switch (orderID, paymentID, operationID) {
        case (let order?, nil, nil): subject = .order(order)
        case (nil, let payment?, let operation?): subject = .operation(payment, operation)
        default: throw columns.corrupt
        }
        self.init(key: key, digest: digest, subject: subject, createdAt: try columns.timestamp())
    }
}
