//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CLibPQ
import Payments
import StoreRows

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

/// The columns of a row as PostgreSQL gives them.
struct PostgreSQLColumns: RowColumns {
    /// The types' numbers in PostgreSQL's catalog (pg_type.dat).
    private enum PostgreSQLType {
        static let boolean: Oid = 16
        static let bytea: Oid = 17
        static let bigint: Oid = 20
        static let text: Oid = 25
    }

    private let rows: PostgreSQLRows
    private let row: CInt
    let table: String
    private var index: CInt = 0

    init(rows: PostgreSQLRows, row: CInt, table: String) {
        self.rows = rows
        self.row = row
        self.table = table
    }

    var corrupt: StoreError {
        let name = PQfname(self.rows.result, self.index - 1)
        return name.map { self.corrupt(String(cString: $0)) } ?? .corrupt(self.table)
    }

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

    mutating func optionalInteger() throws -> Int64? {
        guard let bytes = try self.next(PostgreSQLType.bigint) else { return nil }
        guard bytes.count == 8 else { throw self.corrupt }
        return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    }

    mutating func flag() throws -> Bool {
        guard let bytes = try self.next(PostgreSQLType.boolean), bytes.count == 1 else { throw self.corrupt }
        return bytes[0] != 0
    }

    mutating func optionalBytes() throws -> [UInt8]? { try self.next(PostgreSQLType.bytea).map { Array($0) } }
}
