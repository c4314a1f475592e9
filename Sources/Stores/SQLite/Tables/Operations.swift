//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension SQLiteReading {
    /// The payment's operations in the order begun.
    func operations(of payment: PaymentRow) throws -> [Payments.Operation] {
        var reader = OperationReader(payment: payment)
        let operations = try self.connection.all(
            "SELECT \(Payments.Operation.columnNames) FROM operations WHERE payment_id = ? ORDER BY ordinal",
            payment.id.text, table: "operations"
        ) { try reader.read(&$0) }
        guard !operations.isEmpty else { throw StoreError.corrupt("operations.payment_id") }
        return operations
    }

    func paymentID(ofOperation id: OperationID) throws -> PaymentID? {
        try self.connection.first(
            "SELECT payment_id FROM operations WHERE id = ?", id.text, table: "operations"
        ) { try $0.id() }
    }
}

extension SQLiteTransaction {
    func insert(_ operation: Payments.Operation, ordinal: Int, of payment: PaymentID) throws {
        try self.connection.execute(operationInsert, try operation.columnValues(of: payment, ordinal: ordinal))
    }

    /// Writes what an outcome changes.
    func update(_ operation: Payments.Operation, ordinal: Int, of payment: PaymentID) throws {
        let changesCount = try self.connection.execute(
            """
            UPDATE operations SET state = ?, failure = ?, decline_reason = ?, approved_minor_units = ?,
                acquirer_reference = ?, authorization_code = ?, response_code = ?, stan = ?, network_reference = ?,
                address_check = ?, security_code_check = ?, funding_pan_suffix = ?, funding_expiry_year_month = ?,
                resolved_at = ?, resolved_in_version = ?, unknown_reason = ?
            WHERE payment_id = ? AND ordinal = ? AND id = ?
            """, try operation.outcomeValues(of: payment, ordinal: ordinal))
        guard changesCount == 1 else { throw StoreError.corrupt("operations.ordinal") }
    }
}

private let operationInsert = """
    INSERT INTO operations (payment_id, \(Payments.Operation.columnNames))
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
