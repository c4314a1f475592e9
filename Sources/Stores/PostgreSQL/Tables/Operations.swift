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
    func insert(_ operation: Payments.Operation, ordinal: Int, of payment: PaymentID) throws {
        try self.transaction.execute(operationInsert, try operation.columnValues(of: payment, ordinal: ordinal))
    }

    /// Writes what an outcome changes.
    func update(_ operation: Payments.Operation, ordinal: Int, of payment: PaymentID) throws {
        try self.transaction.require(
            """
            UPDATE operations SET state = $1, failure = $2, decline_reason = $3, approved_minor_units = $4,
                acquirer_reference = $5, authorization_code = $6, response_code = $7, stan = $8, network_reference = $9,
                address_check = $10, security_code_check = $11, funding_pan_suffix = $12,
                funding_expiry_year_month = $13, resolved_at = $14, resolved_in_version = $15,
                unknown_reason = $16
            WHERE payment_id = $17 AND ordinal = $18 AND id = $19
            """, try operation.outcomeValues(of: payment, ordinal: ordinal),
            orElse: .corrupt("operations.ordinal"))
    }
}

private let operationInsert =
    "INSERT INTO operations (payment_id, \(Payments.Operation.columnNames)) VALUES (\(parameters(32)))"
