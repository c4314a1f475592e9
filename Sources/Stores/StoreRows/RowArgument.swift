//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What may be bound to a parameter of a statement.
public protocol RowArgument {
    var rowValue: RowValue { get }
}

/// The kinds of values that a column may have.
public enum RowValue {
    case text(String)
    case integer(Int64)
    case flag(Bool)
    case bytes([UInt8])
}

/// The values of columns, one after the other; `nil` is NULL.
public typealias RowArguments = [(any RowArgument)?]

extension String: RowArgument {
    public var rowValue: RowValue { .text(self) }
}

extension Int: RowArgument {
    public var rowValue: RowValue { .integer(Int64(self)) }
}

extension Int64: RowArgument {
    public var rowValue: RowValue { .integer(self) }
}

extension Bool: RowArgument {
    public var rowValue: RowValue { .flag(self) }
}

extension [UInt8]: RowArgument {
    public var rowValue: RowValue { .bytes(self) }
}
