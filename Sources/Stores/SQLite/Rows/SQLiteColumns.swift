//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import GRDB
import Money
import Payments
import Time

/// Reads the columns of a row one after the other, in the order of the SELECT. Whatever is not what it must be is
/// ``StoreError/corrupt(_:)`` with the table's and the column's name.
struct SQLiteColumns {
    private let row: Row
    private let table: String
    private var index = 0

    init(row: Row, table: String) {
        self.row = row
        self.table = table
    }

    /// The error that names the column that was read last.
    var corrupt: StoreError {
        let names = Array(self.row.columnNames)
        let position = self.index - 1
        return .corrupt(names.indices.contains(position) ? "\(self.table).\(names[position])" : self.table)
    }

    /// The error that names another column of the same table.
    func corrupt(_ column: String) -> StoreError { .corrupt("\(self.table).\(column)") }

    private mutating func next() throws -> DatabaseValue.Storage {
        guard self.index < self.row.count else { throw StoreError.corrupt(self.table) }
        let value: DatabaseValue = self.row[self.index]
        self.index += 1
        return value.storage
    }

    mutating func optionalText() throws -> String? {
        switch try self.next() {
        case .string(let text): return text
        case .null: return nil
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
        switch try self.next() {
        case .int64(let value): return value
        case .null: return nil
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
        guard case .blob(let data) = try self.next() else { throw self.corrupt }
        return [UInt8](data)
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

    /// Two columns: minor units, more than zero, and the currency's code.
    mutating func money() throws -> Money {
        let minorUnits = try self.integer()
        guard minorUnits > 0 else { throw self.corrupt }
        return Money(minorUnits: minorUnits, currency: try self.currency())
    }

    /// Two columns: which data key, and the box.
    mutating func sealed() throws -> SealedBytes { SealedBytes(keyID: try self.text(), box: try self.bytes()) }
}

extension SealedBytes {
    var data: Data { self.box.data }
}

extension [UInt8] {
    var data: Data { Data(self) }
}
