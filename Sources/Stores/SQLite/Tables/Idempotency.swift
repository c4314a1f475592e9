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

    func claims(after key: IdempotencyKey?, limit: Int) throws -> [IdempotencyClaim] {
        try self.connection.records(
            claimsQuery, key?.merchantID.text ?? "", key?.dialect.text ?? "", key?.operation ?? "", key?.key ?? "",
            max(0, limit))
    }

    func operation(_ reference: Reference) throws -> OperationID? {
        try self.connection.first(referenceQuery, reference.keyValues, table: "operation_references") { try $0.id() }
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

    func deleteClaims(_ keys: [IdempotencyKey], before moment: Timestamp) throws {
        for key in keys {
            try self.connection.execute(
                claimDelete, key.merchantID.text, key.dialect.text, key.operation, key.key, moment.milliseconds)
        }
    }

    func insert(_ reference: Reference, operation: OperationID) throws {
        var values = reference.keyValues
        values.append(.text(operation.text))
        try self.connection.execute(referenceInsert, values)
    }

    func rememberToken(
        transactionIdentifier: [UInt8], mode: Mode, payment: PaymentID, at now: Timestamp
    ) throws -> Bool {
        let values: [RowValue] = [
            .text(mode.rawValue), .bytes(transactionIdentifier), .text(payment.text), .integer(now.milliseconds),
        ]
        return try self.connection.execute(tokenInsert, RowArguments(values: values)) == 1
    }
}

private let claimQuery = IdempotencyClaim.table.select(
    by: .merchantID, .dialect, .operation, .key, with: parameters)
private let claimInsert = HotStatement(IdempotencyClaim.table.insert(parameters))

private let claimsQuery = IdempotencyClaim.selectAfter(parameters)
private let claimDelete = IdempotencyClaim.deleteSettled(parameters, storeSeconds: "unixepoch()")

private let referenceQuery = Reference.select(parameters)
private let referenceInsert = HotStatement(Reference.insert(parameters))

private let tokenQuery = SeenTokenRow.select(parameters)
private let tokenInsert = HotStatement(SeenTokenRow.insert(parameters))
