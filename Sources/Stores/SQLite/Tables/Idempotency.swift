//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension SQLiteReading {
    func claim(_ key: IdempotencyKey) throws -> IdempotencyClaim? {
        try self.connection.record(claimQuery, key.merchantID.text, key.dialect.text, key.operation, key.key)
    }

    func operation(_ reference: Reference) throws -> OperationID? {
        try self.connection.first(
            """
            SELECT operation_id FROM operation_references
            WHERE merchant_id = ? AND dialect = ? AND kind = ? AND value = ?
            """, reference.merchantID.text, reference.dialect.text, reference.kind, reference.value,
            table: "operation_references"
        ) { try $0.id() }
    }

    func isTokenRemembered(transactionIdentifier: [UInt8], mode: Mode) throws -> Bool {
        try self.connection.first(tokenQuery, mode.rawValue, transactionIdentifier, table: "seen_tokens") { _ in true }
            ?? false
    }
}

extension SQLiteTransaction {
    func insert(_ claim: IdempotencyClaim) throws {
        try self.connection.execute(claimInsert, claim.columnValues)
    }

    func insert(_ reference: Reference, operation: OperationID) throws {
        try self.connection.execute(
            """
            INSERT INTO operation_references (merchant_id, dialect, kind, value, operation_id) VALUES (?, ?, ?, ?, ?)
            """, reference.merchantID.text, reference.dialect.text, reference.kind, reference.value, operation.text)
    }

    func rememberToken(
        transactionIdentifier: [UInt8], mode: Mode, payment: PaymentID, at now: Timestamp
    ) throws -> Bool {
        try self.connection.execute(
            tokenInsert, mode.rawValue, transactionIdentifier, payment.text, now.milliseconds) == 1
    }
}

private let claimQuery = IdempotencyClaim.table.select(
    by: .merchantID, .dialect, .operation, .key, with: parameters)
private let claimInsert = IdempotencyClaim.table.insert(parameters)

private let tokenQuery = """
    SELECT 1 FROM seen_tokens WHERE mode = ? AND transaction_identifier = ?
    AND NOT \(SeenTokenRow.isNotProcessed("seen_tokens.payment_id"))
    """

private let tokenInsert = """
    INSERT INTO seen_tokens (mode, transaction_identifier, payment_id, seen_at) VALUES (?, ?, ?, ?)
    \(SeenTokenRow.takeOver)
    """
