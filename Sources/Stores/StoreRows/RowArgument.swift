//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The value of a column.
public enum RowValue: Hashable, Sendable {
    case null
    case text(String)
    case integer(Int64)
    case flag(Bool)
    case bytes([UInt8])
}

/// What may be bound to a parameter of a statement.
public protocol RowArgument {
    var rowValue: RowValue { get }
}

extension String: RowArgument {
    @inlinable public var rowValue: RowValue { .text(self) }
}

extension Int: RowArgument {
    @inlinable public var rowValue: RowValue { .integer(Int64(self)) }
}

extension Int64: RowArgument {
    @inlinable public var rowValue: RowValue { .integer(self) }
}

extension Bool: RowArgument {
    @inlinable public var rowValue: RowValue { .flag(self) }
}

extension [UInt8]: RowArgument {
    @inlinable public var rowValue: RowValue { .bytes(self) }
}

/// The values of columns, one after the other. Written as a list, of which `nil` is NULL.
public struct RowArguments: RandomAccessCollection, RangeReplaceableCollection, ExpressibleByArrayLiteral, Sendable {
    public private(set) var values: [RowValue]

    @inlinable public init() { self.init(values: []) }

    public init(values: [RowValue]) {
        self.values = values
    }

    @inlinable public init(_ arguments: [(any RowArgument)?]) {
        self.init(values: arguments.map { $0?.rowValue ?? .null })
    }

    @inlinable public init(arrayLiteral arguments: (any RowArgument)?...) { self.init(arguments) }

    public var startIndex: Int { 0 }
    public var endIndex: Int { self.values.count }
    public subscript(index: Int) -> RowValue { self.values[index] }

    public mutating func replaceSubrange(_ range: Range<Int>, with values: some Collection<RowValue>) {
        self.values.replaceSubrange(range, with: values)
    }

    public mutating func reserveCapacity(_ count: Int) { self.values.reserveCapacity(count) }

    public mutating func append(_ value: RowValue) { self.values.append(value) }

    public static func + (first: RowArguments, second: RowArguments) -> RowArguments {
        RowArguments(values: first.values + second.values)
    }

    public static func += (first: inout RowArguments, second: RowArguments) { first.values += second.values }
}

/// Makes what a branch comes to a value: a record's columns are each written as they are in it.
///
/// Writes are in every payment's way, and an existential for each column would be a good part of it.
@resultBuilder public enum RowValueBuilder {
    @inlinable public static func buildExpression(_ value: RowValue) -> RowValue { value }
    @inlinable public static func buildExpression(_ text: String?) -> RowValue { text.map { .text($0) } ?? .null }
    @inlinable public static func buildExpression(_ number: Int?) -> RowValue {
        number.map { .integer(Int64($0)) } ?? .null
    }
    @inlinable public static func buildExpression(_ number: Int64?) -> RowValue { number.map { .integer($0) } ?? .null }
    @inlinable public static func buildExpression(_ flag: Bool) -> RowValue { .flag(flag) }
    @inlinable public static func buildExpression(_ bytes: [UInt8]?) -> RowValue { bytes.map { .bytes($0) } ?? .null }
    @inlinable public static func buildBlock(_ value: RowValue) -> RowValue { value }
    @inlinable public static func buildEither(first value: RowValue) -> RowValue { value }
    @inlinable public static func buildEither(second value: RowValue) -> RowValue { value }
}
