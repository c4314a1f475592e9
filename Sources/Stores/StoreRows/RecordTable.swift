//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The names of a table's columns, in the order in which a row is read.
public protocol ColumnName: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// A table with a row for each record of a kind. What statements say of its columns follows from the one list that
/// `Column` is.
public struct RecordTable<Column: ColumnName>: Sendable {
    public let name: String
    /// What there is only one row of.
    public let key: [Column]
    /// All columns, in their order. Kept: an enumeration makes the list of its cases anew each time.
    public let columns: [Column]
    /// Their names, with commas.
    public let names: String

    public init(_ name: String, key: Column...) {
        self.name = name
        self.key = key
        self.columns = Array(Column.allCases)
        self.names = self.columns.map(\.rawValue).joined(separator: ", ")
    }

    /// A column and all that come after it.
    public func columns(from first: Column) -> [Column] { Array(self.columns.drop { $0 != first }) }

    /// All columns but these.
    public func columns(without others: Column...) -> [Column] { self.columns.filter { !others.contains($0) } }

    /// The columns' names, with commas.
    /// - Parameter table: what stands before each, "payments." where another table has the same columns.
    public func list(_ columns: [Column], of table: String = "") -> String {
        columns.map { table + $0.rawValue }.joined(separator: ", ")
    }
}

/// A record that is written as a row.
///
/// The compiler sees to it that `value(of:)` knows every column, and there each column stands beside its value: no order
/// has to be kept in two places. That the reader keeps the same order, RecordTests see.
public protocol WrittenRecord {
    associatedtype Column: ColumnName

    static var table: RecordTable<Column> { get }

    @RowValueBuilder func value(of column: Column) -> RowValue
}

// Writes are in every payment's way: what is generic here is specialized in the stores.
extension WrittenRecord {
    /// The values of all columns, in their order.
    @inlinable public var columnValues: RowArguments { self.values(of: Self.table.columns) }

    @inlinable public func values(of columns: [Column]) -> RowArguments {
        RowArguments(values: columns.map { self.value(of: $0) })
    }
}

/// A record that is a row and nothing else.
public protocol StoredRecord: WrittenRecord {
    /// Reads all columns, in their order.
    init(_ columns: inout some RowColumns) throws
}
