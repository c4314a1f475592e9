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
            claimQuery, key.merchantID.text, key.dialect.text, key.operation, key.key, of: [key.subject])
    }

    func operation(_ reference: Reference) throws -> OperationID? {
        try self.transaction.first(
            referenceQuery, reference.keyValues, of: [reference.subject], table: "operation_references"
        ) { try $0.id() }
    }

    func isTokenRemembered(transactionIdentifier: [UInt8], mode: Mode) throws -> Bool {
        // Who is asked about a token has written nothing that decides about it.
        try self.transaction.first(
            tokenQuery, [mode.rawValue, transactionIdentifier], of: [], table: "seen_tokens"
        ) { _ in true } ?? false
    }
}

extension PostgreSQLTransaction {
    func insert(_ claim: IdempotencyClaim) throws {
        try self.transaction.lock(claim.key)
        try self.transaction.write {
            try self.transaction.put(.claim, claim.columnValues, of: [claim.key.subject])
        }
    }

    func insert(_ reference: Reference, operation: OperationID) throws {
        try self.transaction.write {
            try self.transaction.put(
                .reference, reference.keyValues + [operation.text], of: [reference.subject])
        }
    }

    func rememberToken(
        transactionIdentifier: [UInt8], mode: Mode, payment: PaymentID, at now: Timestamp
    ) throws -> Bool {
        let rows = try self.transaction.rowsOfWrite(
            tokenInsert, [mode.rawValue, transactionIdentifier, payment.text, now.milliseconds], of: [])
        return rows?.count == 1
    }
}

/// By what the gathered rows of claims and references are found (``GatheredRows``): a claim serves as its operation's
/// reference, so both are called alike.
extension IdempotencyKey {
    fileprivate var subject: String {
        [self.merchantID.text, self.dialect.text, self.operation, self.key].joined(separator: "\u{1F}")
    }
}

extension Reference {
    fileprivate var subject: String {
        [self.merchantID.text, self.dialect.text, self.kind, self.value].joined(separator: "\u{1F}")
    }
}

extension Transaction {
    fileprivate func lock(_ key: IdempotencyKey) throws {
        try self.lockName("claim", [key.merchantID.text, key.dialect.text, key.operation, key.key])
    }
}

private let claimQuery = IdempotencyClaim.table.select(
    by: .merchantID, .dialect, .operation, .key, with: parameters)

private let referenceQuery = Reference.select(parameters)

private let tokenQuery = SeenTokenRow.select(parameters)
private let tokenInsert = SeenTokenRow.insert(parameters) + " RETURNING 1"
