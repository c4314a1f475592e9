//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import GRDBSQLite
import Payments
import StoreRows

/// The tables and rows of a database file, as its own schema has them.
struct SQLiteRows: RowWriter {
    /// Which migrations there have been is the file's own affair.
    static let ownTables: Set = ["grdb_migrations"]
    private static let pageCount = 512

    private let database: Database
    private let connection: SQLiteConnection

    init(_ database: Database) {
        self.database = database
        self.connection = SQLiteConnection(database)
    }

    // MARK: - The schema

    func tables() throws -> [CopiedTable] {
        let names = try String.fetchAll(
            self.database,
            sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
        return try names.filter { !Self.ownTables.contains($0) }.sorted().map { name in
            let references = try String.fetchAll(
                self.database, sql: "SELECT \"table\" FROM pragma_foreign_key_list(?)", arguments: [name])
            return CopiedTable(name: name, columns: try self.columns(of: name), references: Set(references))
        }
    }

    private func columns(of table: String) throws -> [CopiedTable.Column] {
        let rows = try Row.fetchAll(
            self.database, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [table])
        let columns = try rows.map { row in
            let name: String = row["name"]
            let kind: CopiedTable.Kind
            switch row["type"] as String {
            case "INTEGER": kind = .integer
            case "TEXT": kind = .text
            case "BLOB": kind = .bytes
            default: throw StoreError.corrupt("\(table).\(name)")
            }
            return CopiedTable.Column(name: name, kind: kind)
        }
        return columns.sorted { $0.name < $1.name }
    }

    func hasRows(_ table: CopiedTable) throws -> Bool {
        try Bool.fetchOne(self.database, sql: "SELECT EXISTS (SELECT 1 FROM \(table.name))") ?? false
    }

    // MARK: - Reading

    func pages(of table: CopiedTable, _ body: ([[StoredValue]]) throws -> Void) throws {
        let names = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let key = try String.fetchAll(
            self.database, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
            arguments: [table.name])
        let order = key.map { "\"\($0)\"" }.joined(separator: ", ")
        let statement = try self.database.makeStatement(
            sql: "SELECT \(names) FROM \(table.name)\(Self.conditions[table.name] ?? "") ORDER BY \(order)")
        let handle = statement.sqliteStatement
        defer { sqlite3_reset(handle) }
        var page: [[StoredValue]] = []
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW:
                page.append(try table.columns.indices.map { try Self.value(handle, $0, of: table) })
                guard page.count == Self.pageCount else { continue }
                try body(page)
                page.removeAll(keepingCapacity: true)
            case SQLITE_DONE:
                if !page.isEmpty { try body(page) }
                return
            default:
                throw StoreError(
                    sqliteCode: sqlite3_extended_errcode(self.database.sqliteConnection), message: nil)
            }
        }
    }

    /// An alias that is its account's key too says nothing, and other stores keep no such row.
    private static let conditions = [
        "account_aliases": """
         WHERE NOT EXISTS (
            SELECT 1 FROM accounts
            WHERE accounts.dialect = account_aliases.dialect AND accounts.merchant_id = account_aliases.merchant_id
                AND accounts.key = account_aliases.alias)
        """
    ]

    private static func value(
        _ statement: OpaquePointer, _ index: Int, of table: CopiedTable
    ) throws -> StoredValue {
        let column = CInt(index)
        switch (sqlite3_column_type(statement, column), table.columns[index].kind) {
        case (SQLITE_NULL, _): return .null
        case (SQLITE_INTEGER, .integer): return .integer(sqlite3_column_int64(statement, column))
        case (SQLITE_TEXT, .text):
            let start = UnsafeRawPointer(sqlite3_column_text(statement, column))
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
            guard let text = String(validating: bytes, as: UTF8.self) else { break }
            return .text(text)
        case (SQLITE_BLOB, .bytes):
            guard let start = sqlite3_column_blob(statement, column) else { return .bytes([]) }
            return .bytes(
                Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))))
        default: break
        }
        throw StoreError.corrupt("\(table.name).\(table.columns[index].name)")
    }

    // MARK: - Writing

    func write(_ table: CopiedTable, _ body: (([[StoredValue]]) throws -> Void) throws -> Void) throws {
        let names = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT INTO \(table.name) (\(names)) VALUES (\(marks))"
        try body { page in
            for row in page { try self.connection.execute(sql, RowArguments(values: row.map(Self.argument))) }
        }
    }

    private static func argument(_ value: StoredValue) -> RowValue {
        switch value {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .text(let text): .text(text)
        case .bytes(let bytes): .bytes(bytes)
        }
    }

    func finish() throws {
        let dangling = try String.fetchOne(self.database, sql: "SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1")
        if let dangling { throw StoreError.corrupt("\(dangling): a reference to a row that does not exist") }
    }
}
