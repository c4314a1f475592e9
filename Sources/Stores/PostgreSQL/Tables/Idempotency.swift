//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows
import Time

extension PostgreSQLReading {
    func claim(_ key: IdempotencyKey) throws -> IdempotencyClaim? {
        try self.transaction.lock(key)
        return try self.transaction.record(
            claimQuery, key.merchantID.text, key.dialect.text, key.operation, key.key)
    }

    func operation(_ reference: Reference) throws -> OperationID? {
        try self.transaction.first(
            """
            SELECT operation_id FROM operation_references
            WHERE merchant_id = $1 AND dialect = $2 AND kind = $3 AND value = $4
            """, reference.merchantID.text, reference.dialect.text, reference.kind, reference.value,
            table: "operation_references"
        ) { try $0.id() }
    }

    func isTokenRemembered(transactionIdentifier: [UInt8], mode: Mode) throws -> Bool {
        try self.transaction.first(tokenQuery, mode.rawValue, transactionIdentifier, table: "seen_tokens") { _ in true }
            ?? false
    }
}

extension PostgreSQLTransaction {
    func insert(_ claim: IdempotencyClaim) throws {
        try self.transaction.lock(claim.key)
        try self.transaction.write { try self.transaction.execute(claimInsert, claim.columnValues) }
    }

    func insert(_ reference: Reference, operation: OperationID) throws {
        try self.transaction.write {
            try self.transaction.execute(
                """
                INSERT INTO operation_references (merchant_id, dialect, kind, value, operation_id)
                VALUES ($1, $2, $3, $4, $5)
                """, reference.merchantID.text, reference.dialect.text, reference.kind, reference.value,
                operation.text)
        }
    }

    func rememberToken(
        transactionIdentifier: [UInt8], mode: Mode, payment: PaymentID, at now: Timestamp
    ) throws -> Bool {
        let rows = try self.transaction.rowsOfWrite(
            tokenInsert, [mode.rawValue, transactionIdentifier, payment.text, now.milliseconds])
        return rows?.count == 1
    }
}

extension Transaction {
    fileprivate func lock(_ key: IdempotencyKey) throws {
        try self.lockName("claim", [key.merchantID.text, key.dialect.text, key.operation, key.key])
    }
}

private let claimQuery = IdempotencyClaim.table.select(
    by: .merchantID, .dialect, .operation, .key, with: parameters)
private let claimInsert = IdempotencyClaim.table.insert(parameters)

private let tokenQuery = """
    SELECT 1 FROM seen_tokens WHERE mode = $1 AND transaction_identifier = $2
    AND NOT \(SeenTokenRow.isNotProcessed("seen_tokens.payment_id"))
    """

private let tokenInsert = """
    INSERT INTO seen_tokens (mode, transaction_identifier, payment_id, seen_at) VALUES ($1, $2, $3, $4)
    \(SeenTokenRow.takeOver) RETURNING 1
    """
