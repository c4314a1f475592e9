//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Payments
import StoreRows
import Time

extension PostgreSQLReading {
    func claim(_ key: IdempotencyKey) throws -> IdempotencyClaim? {
        try self.transaction.lock(key)
        if let foreseen = self.transaction.foreseen.claims[key.exactName] { return foreseen }
        return try self.transaction.rows(claimQuery, key.keyValues, of: [key.subject])?
            .first(IdempotencyClaim.table.name) { try IdempotencyClaim(&$0) }
    }

    func claims(after key: IdempotencyKey?, limit: Int) throws -> [IdempotencyClaim] {
        try self.transaction.records(
            claimsQuery, key?.merchantID.text ?? "", key?.dialect.text ?? "", key?.operation ?? "", key?.key ?? "",
            max(0, limit))
    }

    func operation(_ reference: Reference) throws -> OperationID? {
        if let foreseen = self.transaction.foreseen.references[reference.exactName] { return foreseen }
        return try self.transaction.rows(referenceQuery, reference.keyValues, of: [reference.subject])?
            .first("operation_references") { try $0.id() }
    }

    func isTokenRemembered(transactionIdentifier: [UInt8], mode: Mode) throws -> Bool {
        let use = TokenUse(mode: mode, transactionIdentifier: transactionIdentifier)
        return try self.transaction.first(
            tokenQuery, [mode.rawValue, transactionIdentifier], of: [use.subject], table: "seen_tokens"
        ) { _ in true } ?? false
    }
}

extension PostgreSQLTransaction {
    func insert(_ claim: IdempotencyClaim) throws {
        try self.transaction.lock(claim.key)
        self.transaction.foreseen.forget(claim.key)
        try self.transaction.write {
            try self.transaction.put(.claim, claim.columnValues, of: [claim.key.subject])
        }
    }

    func deleteClaims(_ keys: [IdempotencyKey], before moment: Timestamp) throws {
        for key in keys {
            self.transaction.foreseen.forget(key)
            try self.transaction.write {
                try self.transaction.execute(claimDelete, key.keyValues + [moment.milliseconds])
            }
        }
    }

    func insert(_ reference: Reference, operation: OperationID) throws {
        self.transaction.foreseen.references[reference.exactName] = nil
        try self.transaction.write {
            try self.transaction.put(
                .reference, reference.keyValues + [operation.text], of: [reference.subject])
        }
    }

    func rememberToken(
        transactionIdentifier: [UInt8], mode: Mode, payment: PaymentID, at now: Timestamp
    ) throws -> Bool {
        let use = TokenUse(mode: mode, transactionIdentifier: transactionIdentifier)
        let values: RowArguments = [mode.rawValue, transactionIdentifier, payment.text, now.milliseconds]
        // If another node has used it since, the server refuses the row, and with it all that was gathered: then each body
        // is run by itself, and asks.
        if self.transaction.foreseen.unusedTokens.remove(use) != nil {
            try self.transaction.write { try self.transaction.put(.token, values, of: [use.subject]) }
            return true
        }
        return try self.transaction.rowsOfWrite(tokenInsert, values, of: [use.subject])?.count == 1
    }
}

extension Transaction {
    /// Locks what several bodies are known to claim, and asks for all that they are known to ask for, in one round trip.
    func lookAhead(_ lookups: [ExpectedLookups]) throws {
        // In one order on all nodes, so that none waits for another that waits for it.
        let keys = ForeseenRows.unique(lookups.compactMap(\.claim), \.exactName)
            .filter { self.isStorable($0.record.keyValues) }
            .sorted { $0.name.lexicographicallyPrecedes($1.name) }
        let references = ForeseenRows.unique(lookups.flatMap(\.references), \.exactName)
            .filter { self.isStorable($0.record.keyValues) }
        let tokens = Set(lookups.flatMap(\.tokens))
        guard keys.count + references.count + tokens.count > 1 else { return }
        try self.lockNames("claim", keys.map(\.record.nameParts))
        let claimQueries = claimsByKeys.queries(keys.map(\.record.keyValues))
        let referenceQueries = referencesByKeys.queries(references.map(\.record.keyValues))
        let tokenQueries = tokensByKeys.queries(tokens.map { [$0.mode.rawValue, $0.transactionIdentifier] })
        var answers = try self.rows(claimQueries + referenceQueries + tokenQueries, of: [])[...]

        var foreseen = ForeseenRows()
        for key in keys { foreseen.claims.updateValue(nil, forKey: key.name) }
        for claim in try answers.take(claimQueries.count, IdempotencyClaim.table.name, { try IdempotencyClaim(&$0) }) {
            foreseen.claims[claim.key.exactName] = claim
        }
        for reference in references { foreseen.references.updateValue(nil, forKey: reference.name) }
        let named = try answers.take(referenceQueries.count, "operation_references") { columns in
            let reference = Reference(
                merchantID: try columns.id(), dialect: DialectName(try columns.name()), kind: try columns.text(),
                value: try columns.text())
            let operation: OperationID = try columns.id()
            return (reference, operation)
        }
        // Of a row and a claim the row comes first.
        for (reference, operation) in named.reversed() { foreseen.references[reference.exactName] = operation }
        let used = try answers.take(tokenQueries.count, "seen_tokens") { columns in
            TokenUse(mode: try columns.choice(), transactionIdentifier: try columns.bytes())
        }
        foreseen.unusedTokens = tokens.subtracting(used)
        self.foreseen = foreseen
    }
}

/// Answers that were there before their questions were asked, by names whose bytes are compared, as the server compares
/// them: texts that Unicode takes for the same are equal in Swift.
struct ForeseenRows {
    /// `nil` of what is not there.
    var claims: [[UInt8]: IdempotencyClaim?] = [:]
    var references: [[UInt8]: OperationID?] = [:]
    var unusedTokens: Set<TokenUse> = []

    /// The claim has changed, which serves as its operation's reference too.
    mutating func forget(_ key: IdempotencyKey) {
        self.claims[key.exactName] = nil
        self.references[key.reference.exactName] = nil
    }

    /// Each once.
    fileprivate static func unique<Record>(
        _ records: [Record], _ name: (Record) -> [UInt8]
    ) -> [(name: [UInt8], record: Record)] {
        Dictionary(records.map { (name($0), $0) }) { first, _ in first }.map { ($0.key, $0.value) }
    }
}

extension RowsStatement<String> {
    /// Statements that look for several keys, as few as there can be.
    fileprivate func queries(_ keys: [RowArguments]) -> [(sql: String, arguments: RowArguments)] {
        StatementSizes.parts(of: keys).map { keys in
            (self.statement(count: keys.count), keys.reduce(into: []) { $0 += $1 })
        }
    }
}

extension ArraySlice<PostgreSQLRows> {
    /// Takes the rows of the first answers.
    fileprivate mutating func take<Value>(
        _ count: Int, _ table: String, _ read: (inout PostgreSQLColumns) throws -> Value
    ) throws -> [Value] {
        defer { self = self.dropFirst(count) }
        return try self.prefix(count).flatMap { try $0.all(table, read) }
    }
}

/// By what the gathered rows of claims and references are found (``GatheredRows``): a claim serves as its operation's
/// reference, so both are called alike.
extension IdempotencyKey {
    fileprivate var keyValues: RowArguments { RowArguments(values: self.nameParts.map { .text($0) }) }

    fileprivate var nameParts: [String] { [self.merchantID.text, self.dialect.text, self.operation, self.key] }

    fileprivate var subject: String { self.nameParts.joined(separator: "\u{1F}") }

    fileprivate var exactName: [UInt8] { Array(self.subject.utf8) }
}

extension Reference {
    fileprivate var subject: String {
        [self.merchantID.text, self.dialect.text, self.kind, self.value].joined(separator: "\u{1F}")
    }

    fileprivate var exactName: [UInt8] { Array(self.subject.utf8) }
}

extension TokenUse {
    fileprivate var subject: String { "\(self.mode.rawValue)\u{1F}\(Hex.encode(self.transactionIdentifier))" }
}

extension Transaction {
    fileprivate func lock(_ key: IdempotencyKey) throws {
        try self.lockName("claim", key.nameParts)
    }
}

private let claimQuery = IdempotencyClaim.table.select(
    by: .merchantID, .dialect, .operation, .key, with: parameters)

private let claimsQuery = IdempotencyClaim.selectAfter(parameters)
private let claimDelete = IdempotencyClaim.deleteSettled(
    parameters, storeSeconds: "extract(epoch FROM now())")

private let claimsByKeys = RowsStatement(usually: StatementSizes.all) {
    IdempotencyClaim.table.select(parameters, keys: $0)
}
private let referencesByKeys = RowsStatement(usually: StatementSizes.all) { Reference.select(parameters, keys: $0) }
private let tokensByKeys = RowsStatement(usually: StatementSizes.all) { SeenTokenRow.selectUsed(parameters, keys: $0) }

private let referenceQuery = Reference.select(parameters)

private let tokenQuery = SeenTokenRow.select(parameters)
private let tokenInsert = SeenTokenRow.insert(parameters) + " RETURNING 1"
