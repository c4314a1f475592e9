//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// How an engine writes the parameters of a statement: a sign and a number, from 1.
public struct Parameters: Sendable {
    private let sign: String

    public init(_ sign: String) {
        self.sign = sign
    }

    public func callAsFunction(_ number: Int) -> String { "\(self.sign)\(number)" }

    /// " INDEXED BY …" where the engine is SQLite, which takes a table's own key before an index of a part of the table by
    /// the same columns (sqlite.org/lang_indexedby.html).
    func indexed(by index: String) -> String { self.sign == "?" ? " INDEXED BY \(index)" : "" }

    /// Several, with commas.
    public func list(_ count: Int, from first: Int = 1) -> String {
        (first..<first + count).map { self($0) }.joined(separator: ", ")
    }

    /// "a = ?1 AND b = ?2".
    public func condition(_ names: [String], from first: Int = 1) -> String {
        names.enumerated().map { "\($0.element) = \(self(first + $0.offset))" }.joined(separator: " AND ")
    }

    /// A table's rows in which some columns are as one of the keys says, "FROM (VALUES ($1, $2), ($3, $4)) AS wanted (a, b)
    /// JOIN table USING (a, b)".
    ///
    /// - Parameter types: of the columns that are not texts.
    func wanted(_ names: [String], _ count: Int, in table: String, types: [String: String] = [:]) -> String {
        let keys = (0..<count).map { key in
            let values = names.enumerated().map { offset, name in
                self(1 + key * names.count + offset) + (types[name].map { "::\($0)" } ?? "")
            }
            return "(\(values.joined(separator: ", ")))"
        }
        let columns = names.joined(separator: ", ")
        return """
            FROM (VALUES \(keys.joined(separator: ", "))) AS wanted (\(columns)) JOIN \(table) USING (\(columns))
            """
    }
}

// Statements are made once, when a store first needs them, and kept: an engine finds what it has prepared by the text.
extension RecordTable {
    /// Takes the values of all columns.
    /// - Parameter rows: how many at once.
    public func insert(_ parameters: Parameters, rows: Int = 1) -> String {
        let count = self.columns.count
        let values = (0..<rows).map { "(\(parameters.list(count, from: 1 + $0 * count)))" }
        return "INSERT INTO \(self.name) (\(self.names)) VALUES \(values.joined(separator: ", "))"
    }

    /// Takes the values of all columns, and writes over the row of the same key.
    /// - Parameter rows: how many at once, each of another key.
    public func upsert(_ parameters: Parameters, rows: Int = 1) -> String {
        let set = self.columns.filter { !self.key.contains($0) }.map { "\($0.rawValue) = excluded.\($0.rawValue)" }
        return "\(self.insert(parameters, rows: rows)) \(self.onConflict) DO UPDATE SET \(set.joined(separator: ", "))"
    }

    /// "ON CONFLICT" with the key.
    public var onConflict: String { "ON CONFLICT (\(self.list(self.key)))" }

    /// A change of some columns.
    /// - Parameter finding: the columns by which the row is found.
    public func change(of changed: [Column], by finding: [Column]) -> RowChange<Column> {
        RowChange(table: self.name, changed: changed, finding: finding)
    }

    /// All columns of the rows that the values of some find.
    public func select(by finding: Column..., with parameters: Parameters) -> String {
        "SELECT \(self.names) FROM \(self.name) WHERE \(parameters.condition(finding.map(\.rawValue)))"
    }

    /// Finds the rows of several keys, in no order.
    /// - Parameter count: how many keys.
    public func select(_ parameters: Parameters, keys count: Int) -> String {
        "SELECT \(self.names) \(parameters.wanted(self.key.map(\.rawValue), count, in: self.name))"
    }

    /// The rows that the values of the key find.
    /// - Parameter rows: how many at once.
    public func delete(_ parameters: Parameters, rows: Int = 1) -> String {
        let conditions = (0..<rows).map {
            parameters.condition(self.key.map(\.rawValue), from: 1 + $0 * self.key.count)
        }
        return "DELETE FROM \(self.name) WHERE \(conditions.joined(separator: " OR "))"
    }

    /// The parameter of a column in ``insert(_:rows:)``, for what else an insertion asks about it.
    public func parameter(_ column: Column, _ parameters: Parameters, row: Int = 0) -> String {
        parameters((self.columns.firstIndex(of: column) ?? 0) + 1 + row * self.columns.count)
    }
}

/// A change of some of a row's columns.
public struct RowChange<Column: ColumnName>: Sendable {
    private let table: String
    private let changed: [Column]
    private let finding: [Column]
    /// The columns whose values the statement takes: those that change, then those that find the row.
    public let columns: [Column]

    init(table: String, changed: [Column], finding: [Column]) {
        self.table = table
        self.changed = changed
        self.finding = finding
        self.columns = changed + finding
    }

    /// Changes several rows at once, each of which is found by other values and no two of which are the same.
    ///
    /// - Parameter count: how many; their values come one row after the other.
    public func statement(_ parameters: Parameters, rows count: Int) -> String {
        let width = self.columns.count
        // A first part without rows gives the parameters the columns' types.
        let types = "SELECT \(self.columns.map(\.rawValue).joined(separator: ", ")) FROM \(self.table) WHERE false"
        let rows = (0..<count).map { "SELECT \(parameters.list(width, from: 1 + $0 * width))" }
        let names = (1...width).map { "value_\($0)" }
        let set = zip(self.changed, names).map { "\($0.rawValue) = given.\($1)" }
        let condition = zip(self.finding, names.dropFirst(self.changed.count)).map {
            "\(self.table).\($0.rawValue) = given.\($1)"
        }
        return """
            UPDATE \(self.table) SET \(set.joined(separator: ", "))
            FROM (\(([types] + rows).joined(separator: " UNION ALL "))) AS given (\(names.joined(separator: ", ")))
            WHERE \(condition.joined(separator: " AND "))
            """
    }

    public func statement(_ parameters: Parameters) -> String {
        let set = self.changed.enumerated().map { "\($0.element.rawValue) = \(parameters($0.offset + 1))" }
        let condition = parameters.condition(self.finding.map(\.rawValue), from: self.changed.count + 1)
        return "UPDATE \(self.table) SET \(set.joined(separator: ", ")) WHERE \(condition)"
    }
}

/// The statements that write several rows at once: those that are made ever again are kept, as what the store makes of
/// their text.
public struct RowsStatement<Statement: Sendable>: Sendable {
    private let usual: [Int: Statement]
    private let make: @Sendable (_ count: Int) -> Statement

    /// - Parameter counts: of how many rows those are that are kept.
    public init(usually counts: [Int], _ make: @escaping @Sendable (_ count: Int) -> Statement) {
        self.make = make
        self.usual = Dictionary(uniqueKeysWithValues: counts.map { ($0, make($0)) })
    }

    public func statement(count: Int) -> Statement { self.usual[count] ?? self.make(count) }
}
