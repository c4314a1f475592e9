//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

extension IdempotencyClaim: StoredRecord {
    public enum Column: String, ColumnName {
        case merchantID = "merchant_id"
        case dialect, operation, key, digest
        case orderID = "order_id"
        case paymentID = "payment_id"
        case operationID = "operation_id"
        case createdAt = "created_at"
    }

    public static let table = RecordTable<Column>(
        "idempotency_claims", key: .merchantID, .dialect, .operation, .key)

    /// So many after a key, of which the four parts are given first.
    public static func selectAfter(_ parameters: Parameters) -> String {
        let key = self.table.key.map(\.rawValue).joined(separator: ", ")
        return """
            SELECT \(self.table.names) FROM \(self.table.name)
            WHERE (\(key)) > (\(parameters.list(4))) ORDER BY \(key) LIMIT \(parameters(5))
            """
    }

    /// One by its key, if it was made before the moment that follows, and its operation is at its end. What is too young by
    /// the store's own clock, for which a trigger would refuse all, is left for another time.
    ///
    /// - Parameter storeSeconds: what that clock says, as SQL: in seconds since 1970.
    public static func deleteSettled(_ parameters: Parameters, storeSeconds: String) -> String {
        """
        DELETE FROM \(self.table.name) WHERE \(parameters.condition(self.table.key.map(\.rawValue)))
        AND created_at < \(parameters(5)) AND created_at <= (\(storeSeconds) - \(Self.secondsKeptMin)) * 1000 AND EXISTS (
            SELECT 1 FROM operations WHERE operations.id = operation_id AND operations.state IN ('succeeded', 'failed'))
        """
    }

    public func value(of column: Column) -> RowValue {
        switch (column, self.subject) {
        case (.merchantID, _): self.key.merchantID.text
        case (.dialect, _): self.key.dialect.text
        case (.operation, _): self.key.operation
        case (.key, _): self.key.key
        case (.digest, _): self.digest
        case (.orderID, .order(let id)): id.text
        case (.paymentID, .operation(let payment, _)): payment.text
        case (.operationID, .operation(_, let operation)): operation.text
        case (.orderID, .operation), (.paymentID, .order), (.operationID, .order): RowValue.null
        case (.createdAt, _): self.createdAt.milliseconds
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        let key = IdempotencyKey(
            merchantID: try columns.id(), dialect: DialectName(try columns.name()), operation: try columns.text(),
            key: try columns.text())
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
