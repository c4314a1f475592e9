//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CLibPQ
import Money
import Payments
import Time

/// The rows that a statement has given, in binary format.
final class PostgreSQLRows {
    fileprivate let result: OpaquePointer

    /// - Parameter result: a PGresult, which is done away with together with this.
    init(taking result: OpaquePointer) {
        self.result = result
    }

    deinit {
        PQclear(self.result)
    }

    var count: Int { Int(PQntuples(self.result)) }

    func columns(ofRow row: Int, table: String) -> PostgreSQLColumns {
        PostgreSQLColumns(rows: self, row: CInt(row), table: table)
    }
}

/// Reads the columns of a row one after the other, in the order of the SELECT. Whatever is not what it must be is
/// ``StoreError/corrupt(_:)`` with the table's and the column's name.
struct PostgreSQLColumns {
    /// The types' numbers in PostgreSQL's catalog (pg_type.dat).
    private enum PostgreSQLType {
        static let boolean: Oid = 16
        static let bytea: Oid = 17
        static let bigint: Oid = 20
        static let text: Oid = 25
    }

    private let rows: PostgreSQLRows
    private let row: CInt
    var table: String
    private var index: CInt = 0

    init(rows: PostgreSQLRows, row: CInt, table: String) {
        self.rows = rows
        self.row = row
        self.table = table
    }

    /// The error that names the column that was read last.
    var corrupt: StoreError {
        let name = PQfname(self.rows.result, self.index - 1)
        return name.map { self.corrupt(String(cString: $0)) } ?? .corrupt(self.table)
    }

    /// The error that names another column of the same table.
    func corrupt(_ column: String) -> StoreError { .corrupt("\(self.table).\(column)") }

    /// Steps to the next column.
    /// - Returns: its bytes; `nil` for NULL.
    private mutating func next(_ type: Oid) throws -> UnsafeRawBufferPointer? {
        let column = self.index
        guard column < PQnfields(self.rows.result) else { throw StoreError.corrupt(self.table) }
        self.index += 1
        guard PQgetisnull(self.rows.result, self.row, column) == 0 else { return nil }
        guard PQftype(self.rows.result, column) == type else { throw self.corrupt }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(self.rows.result, self.row, column),
            count: Int(PQgetlength(self.rows.result, self.row, column)))
    }

    /// Whether the next column is NULL.
    var isNextNull: Bool { PQgetisnull(self.rows.result, self.row, self.index) == 1 }

    /// Passes over columns.
    mutating func skip(_ count: Int) { self.index += CInt(count) }

    mutating func optionalText() throws -> String? {
        try self.next(PostgreSQLType.text).map { String(decoding: $0, as: UTF8.self) }
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
        guard let bytes = try self.next(PostgreSQLType.bigint) else { return nil }
        guard bytes.count == 8 else { throw self.corrupt }
        return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
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
        guard let bytes = try self.next(PostgreSQLType.boolean), bytes.count == 1 else { throw self.corrupt }
        return bytes[0] != 0
    }

    mutating func bytes() throws -> [UInt8] {
        guard let bytes = try self.next(PostgreSQLType.bytea) else { throw self.corrupt }
        return Array(bytes)
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
