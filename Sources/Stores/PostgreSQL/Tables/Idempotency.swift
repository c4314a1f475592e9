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
        return try self.transaction.first(
            """
            SELECT \(IdempotencyClaim.columnNames) FROM idempotency_claims
            WHERE merchant_id = $1 AND dialect = $2 AND operation = $3 AND key = $4
            """, key.merchantID.text, key.dialect.text, key.operation, key.key, table: "idempotency_claims"
        ) { try IdempotencyClaim(key: key, &$0) }
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
        try self.transaction.first(
            """
            SELECT 1 FROM seen_tokens WHERE mode = $1 AND transaction_identifier = $2
            AND NOT \(SeenTokenRow.isNotProcessed("seen_tokens.payment_id"))
            """, mode.rawValue, transactionIdentifier, table: "seen_tokens"
        ) { _ in true } ?? false
    }
}

extension PostgreSQLTransaction {
    func insert(_ claim: IdempotencyClaim) throws {
        try self.transaction.lock(claim.key)
        try self.transaction.write {
            try self.transaction.execute(
                """
                INSERT INTO idempotency_claims (merchant_id, dialect, operation, key, \(IdempotencyClaim.columnNames))
                VALUES (\(parameters(9)))
                """, claim.columnValues)
        }
    }

    func insert(_ reference: Reference, operation: OperationID) throws {
        try self.transaction.write {
            try self.transaction.execute(
                """
                INSERT INTO operation_references (merchant_id, dialect, kind, value, operation_id)
                VALUES (\(parameters(5)))
                """, reference.merchantID.text, reference.dialect.text, reference.kind, reference.value,
                operation.text)
        }
    }

    func rememberToken(
        transactionIdentifier: [UInt8], mode: Mode, payment: PaymentID, at now: Timestamp
    ) throws -> Bool {
        let rows = try self.transaction.rowsOfWrite(
            """
            INSERT INTO seen_tokens (mode, transaction_identifier, payment_id, seen_at) VALUES ($1, $2, $3, $4)
            \(SeenTokenRow.takeOver) RETURNING 1
            """, [mode.rawValue, transactionIdentifier, payment.text, now.milliseconds])
        return rows?.count == 1
    }
}

extension Transaction {
    fileprivate func lock(_ key: IdempotencyKey) throws {
        try self.lockName("claim", [key.merchantID.text, key.dialect.text, key.operation, key.key])
    }
}
