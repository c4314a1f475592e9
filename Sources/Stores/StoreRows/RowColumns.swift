//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments
public import Time

/// The columns of one row, read one after the other in the order of the SELECT.
///
/// A store's engine gives its few kinds of columns; all that records are made of is derived from them here. Whatever is
/// not what it must be is ``StoreError/corrupt(_:)`` with the table's and the column's name.
public protocol RowColumns {
    /// The table's name, for errors.
    var table: String { get }

    /// The error that names the column that was read last.
    var corrupt: StoreError { get }

    mutating func optionalText() throws -> String?
    mutating func optionalInteger() throws -> Int64?
    mutating func flag() throws -> Bool
    mutating func optionalBytes() throws -> [UInt8]?
}

// Reads are in every payment's way: what is generic here is specialized in the stores.
extension RowColumns {
    /// The error that names another column of the same table.
    @inlinable public func corrupt(_ column: String) -> StoreError { .corrupt("\(self.table).\(column)") }

    @inlinable public mutating func text() throws -> String {
        guard let text = try self.optionalText() else { throw self.corrupt }
        return text
    }

    @inlinable public mutating func bytes() throws -> [UInt8] {
        guard let bytes = try self.optionalBytes() else { throw self.corrupt }
        return bytes
    }

    /// A text that may not be empty.
    @inlinable public mutating func name() throws -> String {
        let text = try self.text()
        guard !text.isEmpty else { throw self.corrupt }
        return text
    }

    /// A text that may be missing, but not be empty.
    @inlinable public mutating func optionalName() throws -> String? {
        let text = try self.optionalText()
        guard text?.isEmpty != true else { throw self.corrupt }
        return text
    }

    @inlinable public mutating func integer() throws -> Int64 {
        guard let value = try self.optionalInteger() else { throw self.corrupt }
        return value
    }

    /// A number of things, or a version: not negative.
    @inlinable public mutating func count() throws -> Int {
        guard let count = Int(exactly: try self.integer()), count >= 0 else { throw self.corrupt }
        return count
    }

    /// An amount of money, which is zero or more.
    @inlinable public mutating func optionalMinorUnits() throws -> Int64? {
        let minorUnits = try self.optionalInteger()
        guard minorUnits ?? 0 >= 0 else { throw self.corrupt }
        return minorUnits
    }

    @inlinable public mutating func timestamp() throws -> Timestamp { Timestamp(milliseconds: try self.integer()) }

    @inlinable public mutating func optionalTimestamp() throws -> Timestamp? {
        try self.optionalInteger().map { Timestamp(milliseconds: $0) }
    }

    @inlinable public mutating func id<Tag>(
        _ type: Identifier<Tag>.Type = Identifier<Tag>.self
    ) throws -> Identifier<Tag> {
        guard let id = Identifier<Tag>(try self.text()) else { throw self.corrupt }
        return id
    }

    @inlinable public mutating func optionalID<Tag>(
        _ type: Identifier<Tag>.Type = Identifier<Tag>.self
    ) throws -> Identifier<Tag>? {
        guard let text = try self.optionalText() else { return nil }
        guard let id = Identifier<Tag>(text) else { throw self.corrupt }
        return id
    }

    /// One of the cases of an enumeration, by its raw text.
    @inlinable public mutating func choice<Value: RawRepresentable>(_ type: Value.Type = Value.self) throws -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: try self.text()) else { throw self.corrupt }
        return value
    }

    @inlinable public mutating func optionalChoice<Value: RawRepresentable>(
        _ type: Value.Type = Value.self
    ) throws -> Value? where Value.RawValue == String {
        guard let text = try self.optionalText() else { return nil }
        guard let value = Value(rawValue: text) else { throw self.corrupt }
        return value
    }

    @inlinable public mutating func currency() throws -> Currency {
        guard let currency = Currency.alphabetic(try self.text()) else { throw self.corrupt }
        return currency
    }

    @inlinable public mutating func optionalCurrency() throws -> Currency? {
        guard let code = try self.optionalText() else { return nil }
        guard let currency = Currency.alphabetic(code) else { throw self.corrupt }
        return currency
    }

    /// Two columns: minor units, zero or more, and the currency's code.
    @inlinable public mutating func money() throws -> Money {
        let minorUnits = try self.integer()
        guard minorUnits >= 0 else { throw self.corrupt }
        return Money(minorUnits: minorUnits, currency: try self.currency())
    }

    /// Two columns: which data key, and the box.
    @inlinable public mutating func sealed() throws -> SealedBytes {
        SealedBytes(keyID: try self.text(), box: try self.bytes())
    }

    /// A JSON object of strings.
    @inlinable public mutating func fields() throws -> [String: String] {
        guard let fields = FieldsColumn.fields(try self.text()) else { throw self.corrupt }
        return fields
    }

    /// A JSON object of strings; none for NULL.
    @inlinable public mutating func optionalFields() throws -> [String: String] {
        guard let text = try self.optionalText() else { return [:] }
        guard let fields = FieldsColumn.fields(text) else { throw self.corrupt }
        return fields
    }
}
