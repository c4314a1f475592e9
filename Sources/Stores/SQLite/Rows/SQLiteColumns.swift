//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDBSQLite
import Payments
import StoreRows

/// How SQLite writes parameters (sqlite.org/lang_expr.html#varparam).
let parameters = Parameters("?")

/// The columns of a row as SQLite gives them.
struct SQLiteColumns: RowColumns {
    private let statement: OpaquePointer
    let table: String
    private var index: CInt = 0

    init(statement: OpaquePointer, table: String) {
        self.statement = statement
        self.table = table
    }

    var corrupt: StoreError {
        let name = sqlite3_column_name(self.statement, self.index - 1)
        return name.map { self.corrupt(String(cString: $0)) } ?? .corrupt(self.table)
    }

    /// Steps to the next column.
    /// - Returns: its position, and its type as it was stored (SQLITE_TEXT …).
    private mutating func next() throws -> (position: CInt, type: CInt) {
        let position = self.index
        guard position < sqlite3_column_count(self.statement) else { throw StoreError.corrupt(self.table) }
        self.index += 1
        return (position, sqlite3_column_type(self.statement, position))
    }

    private func bytes(at position: CInt, _ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(self.statement, position)))
    }

    mutating func optionalText() throws -> String? {
        let (position, type) = try self.next()
        switch type {
        case SQLITE_TEXT:
            let start = UnsafeRawPointer(sqlite3_column_text(self.statement, position))
            return String(decoding: self.bytes(at: position, start), as: UTF8.self)
        case SQLITE_NULL: return nil
        default: throw self.corrupt
        }
    }

    mutating func optionalInteger() throws -> Int64? {
        let (position, type) = try self.next()
        switch type {
        case SQLITE_INTEGER: return sqlite3_column_int64(self.statement, position)
        case SQLITE_NULL: return nil
        default: throw self.corrupt
        }
    }

    mutating func flag() throws -> Bool {
        switch try self.integer() {
        case 0: return false
        case 1: return true
        default: throw self.corrupt
        }
    }

    mutating func optionalBytes() throws -> [UInt8]? {
        let (position, type) = try self.next()
        switch type {
        case SQLITE_BLOB: return Array(self.bytes(at: position, sqlite3_column_blob(self.statement, position)))
        case SQLITE_NULL: return nil
        default: throw self.corrupt
        }
    }
}
