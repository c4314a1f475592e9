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
        try self.transaction.first(referenceQuery, reference.keyValues, table: "operation_references") { try $0.id() }
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
            try self.transaction.execute(referenceInsert, reference.keyValues + [operation.text])
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

private let referenceQuery = Reference.select(parameters)
private let referenceInsert = Reference.insert(parameters)

private let tokenQuery = SeenTokenRow.select(parameters)
private let tokenInsert = SeenTokenRow.insert(parameters) + " RETURNING 1"
