//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

extension SQLiteReading {
    /// The payment's operations in the order begun.
    func operations(of payment: PaymentRow) throws -> [PaymentOperation] {
        var reader = OperationReader(payment: payment)
        let operations = try self.connection.all(operationsQuery, payment.id.text, table: "operations") {
            try reader.read(&$0)
        }
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
    func insert(_ operation: PaymentOperation, ordinal: Int, of payment: PaymentID) throws {
        try self.connection.execute(operationInsert, try operation.columnValues(of: payment, ordinal: ordinal))
    }

    /// Writes what an outcome changes.
    func update(_ operation: PaymentOperation, ordinal: Int, of payment: PaymentID) throws {
        let changesCount = try self.connection.execute(
            operationUpdate, try operation.outcomeValues(of: payment, ordinal: ordinal))
        guard changesCount == 1 else { throw StoreError.corrupt("operations.ordinal") }
    }
}

private let operationsQuery = """
    SELECT \(PaymentOperation.table.list(PaymentOperation.readColumns)) FROM operations
    WHERE payment_id = ? ORDER BY ordinal
    """

private let operationInsert = HotStatement(PaymentOperation.table.insert(parameters))
private let operationUpdate = HotStatement(PaymentOperation.outcome.statement(parameters))
