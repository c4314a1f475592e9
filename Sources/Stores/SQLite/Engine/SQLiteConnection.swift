//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import Payments

/// One SQLite connection, for the length of one body.
///
/// Statements are compiled once per connection and kept (`cachedStatement`); what SQLite says of a failure becomes a ``StoreError`` here
/// and nowhere else. When the engine itself fails (disk full, an I/O error), SQLite may have rolled the whole transaction back by
/// itself (sqlite.org/lang_transaction.html, section 3.1), so the connection then refuses everything until the body has ended: what
/// came after would be outside the transaction.
final class SQLiteConnection {
    let database: Database
    /// Why the engine failed, if it has.
    private(set) var failure: StoreError?

    init(_ database: Database) {
        self.database = database
    }

    /// Runs a statement that gives no rows.
    /// - Returns: how many rows it has changed.
    @discardableResult
    func execute(_ sql: String, _ arguments: (any DatabaseValueConvertible)?...) throws -> Int {
        try self.mapped {
            try self.database.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
            return self.database.changesCount
        }
    }

    /// The first row, if there is one.
    func first<Value>(
        _ sql: String, _ arguments: (any DatabaseValueConvertible)?..., table: String,
        read: (inout SQLiteColumns) throws -> Value
    ) throws -> Value? {
        try self.mapped {
            let statement = try self.database.cachedStatement(sql: sql)
            let rows = try Row.fetchCursor(statement, arguments: StatementArguments(arguments))
            guard let row = try rows.next() else { return nil }
            var columns = SQLiteColumns(row: row, table: table)
            return try read(&columns)
        }
    }

    /// All rows, in the statement's order.
    func all<Value>(
        _ sql: String, _ arguments: (any DatabaseValueConvertible)?..., table: String,
        read: (inout SQLiteColumns) throws -> Value
    ) throws -> [Value] {
        try self.all(sql, arguments: StatementArguments(arguments), table: table, read: read)
    }

    /// All rows, in the statement's order.
    func all<Value>(
        _ sql: String, arguments: StatementArguments, table: String, read: (inout SQLiteColumns) throws -> Value
    ) throws -> [Value] {
        try self.mapped {
            let statement = try self.database.cachedStatement(sql: sql)
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            var values: [Value] = []
            while let row = try rows.next() {
                var columns = SQLiteColumns(row: row, table: table)
                values.append(try read(&columns))
            }
            return values
        }
    }

    /// Runs several statements as one: none of them is kept when one fails, even if the body goes on.
    func atomically(_ body: () throws -> Void) throws {
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

    private func mapped<Value>(_ work: () throws -> Value) throws -> Value {
        if let failure = self.failure { throw failure }
        do {
            return try work()
        } catch let error as DatabaseError {
            let mapped = StoreError(error)
            if case .unavailable = mapped { self.failure = mapped }
            throw mapped
        }
    }
}
