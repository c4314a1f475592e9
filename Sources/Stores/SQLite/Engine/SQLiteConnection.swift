//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDB
import GRDBSQLite
import Payments
import StoreRows

/// One SQLite connection, for the length of one body.
///
/// Statements are compiled once per connection and kept (`cachedStatement`); arguments and columns go to and from
/// SQLite directly, which is what lets one thread write thousands of payments a second. What SQLite says of a failure
/// becomes a ``StoreError`` here and nowhere else.
///
/// When the engine itself fails (disk full, an I/O error), SQLite may have rolled the whole transaction back by itself
/// (sqlite.org/lang_transaction.html, section 3.1). The connection then refuses everything until the body has ended:
/// what came after would be outside the transaction.
final class SQLiteConnection {
    let database: Database
    /// Whether a part of the transaction can be undone by itself, because the body is in a savepoint.
    private let hasSavepoint: Bool
    /// Why the engine failed, if it has.
    private(set) var failure: StoreError?
    /// Whether a part has failed that could not be undone by itself: what the body has written is not to be kept.
    private(set) var isHalfDone = false
    private let hotStatements: HotStatements

    init(_ database: Database, _ hotStatements: HotStatements = HotStatements(), hasSavepoint: Bool = false) {
        self.database = database
        self.hotStatements = hotStatements
        self.hasSavepoint = hasSavepoint
    }

    /// Runs a statement that gives no rows.
    /// - Returns: how many rows it has changed.
    @discardableResult
    func execute(_ sql: String, _ arguments: (any RowArgument)?...) throws -> Int {
        try self.execute(sql, RowArguments(arguments))
    }

    /// Runs a statement that gives no rows.
    /// - Returns: how many rows it has changed.
    @discardableResult
    func execute(_ sql: String, _ arguments: RowArguments) throws -> Int {
        try self.execute(arguments) { try self.database.cachedStatement(sql: sql) }
    }

    @discardableResult
    func execute(_ hot: HotStatement, _ arguments: RowArguments) throws -> Int {
        try self.execute(arguments) { try self.hotStatements.statement(hot, in: self.database) }
    }

    private func execute(_ arguments: RowArguments, _ compiled: () throws -> Statement) throws -> Int {
        try self.run(compiled, arguments) { statement in
            guard sqlite3_step(statement) == SQLITE_DONE else { throw self.lastError() }
            return Int(sqlite3_changes(self.database.sqliteConnection))
        }
    }

    /// The first row, if there is one.
    func first<Value>(
        _ sql: String, _ arguments: (any RowArgument)?..., table: String,
        read: (inout SQLiteColumns) throws -> Value
    ) throws -> Value? {
        try self.first(sql, RowArguments(arguments), table: table, read: read)
    }

    /// The first row, if there is one.
    func first<Value>(
        _ sql: String, _ arguments: RowArguments, table: String, read: (inout SQLiteColumns) throws -> Value
    ) throws -> Value? {
        try self.run(sql, arguments) { statement in
            switch sqlite3_step(statement) {
            case SQLITE_DONE: return nil
            case SQLITE_ROW:
                var columns = SQLiteColumns(statement: statement, table: table)
                return try read(&columns)
            default: throw self.lastError()
            }
        }
    }

    /// All rows, in the statement's order.
    func all<Value>(
        _ sql: String, _ arguments: (any RowArgument)?..., table: String,
        read: (inout SQLiteColumns) throws -> Value
    ) throws -> [Value] {
        try self.all(sql, arguments: RowArguments(arguments), table: table, read: read)
    }

    /// All rows, in the statement's order.
    func all<Value>(
        _ sql: String, arguments: RowArguments, table: String, read: (inout SQLiteColumns) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try self.forEach(sql, arguments, table: table) { values.append(try read(&$0)) }
        return values
    }

    /// All rows, in the statement's order, of which none is kept.
    func forEach(
        _ sql: String, _ arguments: RowArguments = [], table: String, read: (inout SQLiteColumns) throws -> Void
    ) throws {
        try self.run(sql, arguments) { statement in
            while true {
                switch sqlite3_step(statement) {
                case SQLITE_DONE: return
                case SQLITE_ROW:
                    var columns = SQLiteColumns(statement: statement, table: table)
                    try read(&columns)
                default: throw self.lastError()
                }
            }
        }
    }

    /// All rows, in the statement's order.
    func all<Value>(
        _ query: RowStatement, table: String, read: (inout SQLiteColumns) throws -> Value
    ) throws -> [Value] {
        try self.all(query.sql, arguments: query.arguments, table: table, read: read)
    }

    /// The first row as a record, if there is one.
    func record<Record: StoredRecord>(_ sql: String, _ arguments: (any RowArgument)?...) throws -> Record? {
        try self.first(sql, RowArguments(arguments), table: Record.table.name) { try Record(&$0) }
    }

    /// All rows as records, in the statement's order.
    func records<Record: StoredRecord>(_ sql: String, _ arguments: (any RowArgument)?...) throws -> [Record] {
        try self.all(sql, arguments: RowArguments(arguments), table: Record.table.name) { try Record(&$0) }
    }

    /// Runs several statements as one: none of them is kept when one fails, even if the body goes on. Without a savepoint
    /// to go back to, that means that nothing of the body is kept (``isHalfDone``).
    func atomically(_ body: () throws -> Void) throws {
        guard self.hasSavepoint else {
            do {
                return try body()
            } catch {
                self.isHalfDone = true
                throw error
            }
        }
        try self.execute("SAVEPOINT several")
        do {
            try body()
        } catch {
            if self.failure == nil {
                try self.execute("ROLLBACK TO several")
                try self.execute("RELEASE several")
            }
            throw error
        }
        try self.execute("RELEASE several")
    }

    private func run<Value>(
        _ sql: String, _ arguments: RowArguments, _ work: (OpaquePointer) throws -> Value
    ) throws -> Value {
        try self.run({ try self.database.cachedStatement(sql: sql) }, arguments, work)
    }

    /// Compiles, binds, and resets whatever the work does.
    private func run<Value>(
        _ compiled: () throws -> Statement, _ arguments: RowArguments, _ work: (OpaquePointer) throws -> Value
    ) throws -> Value {
        if let failure = self.failure { throw failure }
        let statement = try self.handle(compiled)
        self.hotStatements.arguments.set(arguments)
        return try self.hotStatements.arguments.withBound(to: statement) {
            defer { sqlite3_reset(statement) }
            return try work(statement)
        }
    }

    private func handle(_ compiled: () throws -> Statement) throws -> OpaquePointer {
        do {
            return try compiled().sqliteStatement
        } catch let error as DatabaseError {
            throw self.noted(StoreError(error))
        }
    }

    private func lastError() -> StoreError {
        let connection = self.database.sqliteConnection
        return self.noted(
            StoreError(
                sqliteCode: sqlite3_extended_errcode(connection),
                message: sqlite3_errmsg(connection).map { String(cString: $0) }))
    }

    private func noted(_ error: StoreError) -> StoreError {
        if case .unavailable = error { self.failure = error }
        return error
    }
}
