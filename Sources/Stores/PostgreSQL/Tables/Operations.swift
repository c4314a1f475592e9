//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension PostgreSQLReading {
    func paymentID(ofOperation id: OperationID) throws -> PaymentID? {
        try self.transaction.first(
            "SELECT payment_id FROM operations WHERE id = $1", id.text, table: "operations"
        ) { try $0.id() }
    }
}

extension PostgreSQLTransaction {
    func insert(_ operation: PaymentOperation, ordinal: Int, of payment: PaymentID) throws {
        try self.transaction.put(
            .operation, try operation.columnValues(of: payment, ordinal: ordinal), key: operation.id.text,
            of: [payment.text])
    }

    /// Writes what an outcome changes.
    func update(_ operation: PaymentOperation, ordinal: Int, of payment: PaymentID) throws {
        try self.transaction.put(
            .operationOutcome, try operation.outcomeValues(of: payment, ordinal: ordinal), key: operation.id.text,
            of: [payment.text])
    }
}
