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
        let rows =
            try self.transaction.foreseen.claims[key.subject]
            ?? self.transaction.rows(claimQuery, key.keyValues, of: [key.subject])
        return try rows?.first(IdempotencyClaim.table.name) { try IdempotencyClaim(&$0) }
    }

    func claims(after key: IdempotencyKey?, limit: Int) throws -> [IdempotencyClaim] {
        try self.transaction.records(
            claimsQuery, key?.merchantID.text ?? "", key?.dialect.text ?? "", key?.operation ?? "", key?.key ?? "",
            max(0, limit))
    }

    func operation(_ reference: Reference) throws -> OperationID? {
        let rows =
            try self.transaction.foreseen.references[reference.subject]
            ?? self.transaction.rows(referenceQuery, reference.keyValues, of: [reference.subject])
        return try rows?.first("operation_references") { try $0.id() }
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
        self.transaction.foreseen.forget(claim.key.subject)
        try self.transaction.write {
            try self.transaction.put(.claim, claim.columnValues, of: [claim.key.subject])
        }
    }

    func deleteClaims(_ keys: [IdempotencyKey], before moment: Timestamp) throws {
        for key in keys {
            self.transaction.foreseen.forget(key.subject)
            try self.transaction.write {
                try self.transaction.execute(claimDelete, key.keyValues + [moment.milliseconds])
            }
        }
    }

    func insert(_ reference: Reference, operation: OperationID) throws {
        self.transaction.foreseen.forget(reference.subject)
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

extension Transaction {
    /// Locks what several bodies are known to claim, and asks for all that they are known to ask for, in one round trip.
    func lookAhead(_ lookups: [ExpectedLookups]) throws {
        var queries: [(sql: String, arguments: RowArguments)] = []
        var claims: [String] = []
        var references: [String] = []
        // In one order on all nodes, so that none waits for another that waits for it.
        for key in Set(lookups.compactMap(\.claim)).sorted(by: { $0.subject < $1.subject })
        where self.isStorable(key.keyValues) {
            try self.lock(key)
            queries.append((claimQuery, key.keyValues))
            claims.append(key.subject)
        }
        for reference in Set(lookups.flatMap(\.references)) where self.isStorable(reference.keyValues) {
            queries.append((referenceQuery, reference.keyValues))
            references.append(reference.subject)
        }
        guard queries.count > 1 else { return }
        let rows = try self.rows(queries, of: [])
        self.foreseen = ForeseenRows(
            claims: Dictionary(zip(claims, rows)) { $1 },
            references: Dictionary(zip(references, rows.dropFirst(claims.count))) { $1 })
    }
}

/// Answers that were there before their questions were asked, by the names of ``IdempotencyKey/subject`` and
/// ``Reference/subject``.
struct ForeseenRows {
    var claims: [String: PostgreSQLRows] = [:]
    var references: [String: PostgreSQLRows] = [:]

    /// What is found by a name has changed.
    mutating func forget(_ subject: String) {
        self.claims[subject] = nil
        self.references[subject] = nil
    }
}

/// By what the gathered rows of claims and references are found (``GatheredRows``): a claim serves as its operation's
/// reference, so both are called alike.
extension IdempotencyKey {
    fileprivate var keyValues: RowArguments { [self.merchantID.text, self.dialect.text, self.operation, self.key] }

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

private let claimsQuery = IdempotencyClaim.selectAfter(parameters)
private let claimDelete = IdempotencyClaim.deleteSettled(parameters)

private let referenceQuery = Reference.select(parameters)

private let tokenQuery = SeenTokenRow.select(parameters)
private let tokenInsert = SeenTokenRow.insert(parameters) + " RETURNING 1"
