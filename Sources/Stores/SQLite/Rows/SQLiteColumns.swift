//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDBSQLite
import Money
import Payments
import Time

/// Reads the columns of a row one after the other, in the order of the SELECT. Whatever is not what it must be is
/// ``StoreError/corrupt(_:)`` with the table's and the column's name.
struct SQLiteColumns {
    private let statement: OpaquePointer
    private let table: String
    private var index: CInt = 0

    init(statement: OpaquePointer, table: String) {
        self.statement = statement
        self.table = table
    }

    /// The error that names the column that was read last.
    var corrupt: StoreError {
        let name = sqlite3_column_name(self.statement, self.index - 1)
        return name.map { self.corrupt(String(cString: $0)) } ?? .corrupt(self.table)
    }

    /// The error that names another column of the same table.
    func corrupt(_ column: String) -> StoreError { .corrupt("\(self.table).\(column)") }

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

    mutating func text() throws -> String {
        guard let text = try self.optionalText() else { throw self.corrupt }
        return text
    }

    /// A text that may not be empty.
    mutating func name() throws -> String {
        let text = try self.text()
        guard !text.isEmpty else { throw self.corrupt }
        return text
    }

    mutating func optionalInteger() throws -> Int64? {
        let (position, type) = try self.next()
        switch type {
        case SQLITE_INTEGER: return sqlite3_column_int64(self.statement, position)
        case SQLITE_NULL: return nil
        default: throw self.corrupt
        }
    }

    mutating func integer() throws -> Int64 {
        guard let value = try self.optionalInteger() else { throw self.corrupt }
        return value
    }

    /// A number of things, or a version: not negative.
    mutating func count() throws -> Int {
        guard let count = Int(exactly: try self.integer()), count >= 0 else { throw self.corrupt }
        return count
    }

    mutating func flag() throws -> Bool {
        switch try self.integer() {
        case 0: return false
        case 1: return true
        default: throw self.corrupt
        }
    }

    mutating func bytes() throws -> [UInt8] {
        let (position, type) = try self.next()
        guard type == SQLITE_BLOB else { throw self.corrupt }
        return Array(self.bytes(at: position, sqlite3_column_blob(self.statement, position)))
    }

    mutating func timestamp() throws -> Timestamp { Timestamp(milliseconds: try self.integer()) }

    mutating func optionalTimestamp() throws -> Timestamp? {
        try self.optionalInteger().map { Timestamp(milliseconds: $0) }
    }

    mutating func id<Tag>(_ type: Identifier<Tag>.Type = Identifier<Tag>.self) throws -> Identifier<Tag> {
        guard let id = Identifier<Tag>(try self.text()) else { throw self.corrupt }
        return id
    }

    mutating func optionalID<Tag>(_ type: Identifier<Tag>.Type = Identifier<Tag>.self) throws -> Identifier<Tag>? {
        guard let text = try self.optionalText() else { return nil }
        guard let id = Identifier<Tag>(text) else { throw self.corrupt }
        return id
    }

    /// One of the cases of an enumeration, by its raw text.
    mutating func choice<Value: RawRepresentable>(_ type: Value.Type = Value.self) throws -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: try self.text()) else { throw self.corrupt }
        return value
    }

    mutating func optionalChoice<Value: RawRepresentable>(_ type: Value.Type = Value.self) throws -> Value?
    where Value.RawValue == String {
        guard let text = try self.optionalText() else { return nil }
        guard let value = Value(rawValue: text) else { throw self.corrupt }
        return value
    }

    mutating func currency() throws -> Currency {
        guard let currency = Currency.alphabetic(try self.text()) else { throw self.corrupt }
        return currency
    }

    /// Two columns: minor units, zero or more, and the currency's code.
    mutating func money() throws -> Money {
        let minorUnits = try self.integer()
        guard minorUnits >= 0 else { throw self.corrupt }
        return Money(minorUnits: minorUnits, currency: try self.currency())
    }

    /// Two columns: which data key, and the box.
    mutating func sealed() throws -> SealedBytes { SealedBytes(keyID: try self.text(), box: try self.bytes()) }
}
