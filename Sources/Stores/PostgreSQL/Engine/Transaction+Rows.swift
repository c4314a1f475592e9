//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// How PostgreSQL writes parameters (postgresql.org/docs/15/sql-expressions.html, section 4.2.2).
let parameters = Parameters("$")

/// Any of the ids in the first parameter, which is a ``list(_:)``.
let anyListed = "ANY (string_to_array($1, ','))"

/// The texts of a parameter, which is a ``list(_:)-(Set<String>)``.
func listedTexts(_ number: Int) -> String { "string_to_array($\(number), chr(31))" }

/// Any number of texts as one parameter: they have no control characters, for those that have one are left out.
func list(_ texts: some Sequence<String>) -> String {
    texts.filter { !$0.unicodeScalars.contains { $0.value < 0x20 } }.joined(separator: "\u{1F}")
}

/// Any number of ids as one parameter. They are of letters, digits and "_".
func list<Tag>(_ ids: some Collection<Identifier<Tag>>) -> String { ids.map(\.text).joined(separator: ",") }

extension Transaction {
    /// The first row, if there is one.
    func first<Value>(
        _ sql: String, _ arguments: (any RowArgument)?..., table: String,
        read: (inout PostgreSQLColumns) throws -> Value
    ) throws -> Value? {
        try self.first(sql, RowArguments(arguments), table: table, read: read)
    }

    /// The first row, if there is one.
    func first<Value>(
        _ sql: String, _ arguments: RowArguments, of subjects: [String]? = nil, table: String,
        read: (inout PostgreSQLColumns) throws -> Value
    ) throws -> Value? {
        try self.rows(sql, arguments, of: subjects)?.first(table, read)
    }

    /// The first row as a record, if there is one.
    func record<Record: StoredRecord>(
        _ sql: String, _ arguments: (any RowArgument)?..., of subjects: [String]? = nil
    ) throws -> Record? {
        try self.rows(sql, RowArguments(arguments), of: subjects)?.first(Record.table.name) { try Record(&$0) }
    }

    /// All rows as records, in the statement's order.
    func records<Record: StoredRecord>(
        _ sql: String, _ arguments: (any RowArgument)?..., of subjects: [String]? = nil
    ) throws -> [Record] {
        guard let rows = try self.rows(sql, RowArguments(arguments), of: subjects) else { return [] }
        return try rows.all(Record.table.name) { try Record(&$0) }
    }

    /// All rows, in the statement's order.
    func all<Value>(
        _ sql: String, _ arguments: (any RowArgument)?..., table: String,
        read: (inout PostgreSQLColumns) throws -> Value
    ) throws -> [Value] {
        try self.all(sql, arguments: RowArguments(arguments), table: table, read: read)
    }

    /// All rows, in the statement's order.
    func all<Value>(
        _ sql: String, arguments: RowArguments, table: String,
        read: (inout PostgreSQLColumns) throws -> Value
    ) throws -> [Value] {
        guard let rows = try self.rows(sql, arguments) else { return [] }
        return try rows.all(table, read)
    }
}

extension Transaction {
    /// All rows, in the statement's order.
    func all<Value>(
        _ query: RowStatement, table: String, read: (inout PostgreSQLColumns) throws -> Value
    ) throws -> [Value] {
        try self.all(query.sql, arguments: query.arguments, table: table, read: read)
    }
}

extension PostgreSQLRows {
    func first<Value>(_ table: String, _ read: (inout PostgreSQLColumns) throws -> Value) throws -> Value? {
        guard self.count > 0 else { return nil }
        var columns = self.columns(ofRow: 0, table: table)
        return try read(&columns)
    }

    func all<Value>(_ table: String, _ read: (inout PostgreSQLColumns) throws -> Value) throws -> [Value] {
        try (0..<self.count).map { row in
            var columns = self.columns(ofRow: row, table: table)
            return try read(&columns)
        }
    }
}
