//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A store whose rows can be read and written as they are, so that it can be moved into a store of another kind.
///
/// What there is to copy comes from the store's own schema: a table that is added later is copied too. The calls block
/// their thread until they are done.
public protocol CopyableStore: Sendable {
    /// - Throws: ``StoreCopyError`` `store_in_use` while another process uses the store.
    func requireIdle() throws

    /// Runs a body on the state of one moment. Nobody writes until it has ended.
    /// - Throws: ``StoreCopyError``, ``StoreError``, or what the body throws.
    func read<Value>(_ body: (any RowReader) throws -> Value) throws -> Value

    /// Runs a body in one transaction, on tables of this version that hold nothing. If it throws, or the process ends,
    /// they hold nothing afterwards.
    /// - Throws: ``StoreCopyError`` `store_not_empty`, ``StoreError``, or what the body throws.
    func fill<Value>(_ body: (any RowWriter) throws -> Value) throws -> Value
}

/// Reads rows. Used within the body that it was handed to, on that body's thread.
public protocol RowReader {
    /// All tables, sorted by name, each with its columns sorted by name.
    func tables() throws -> [CopiedTable]

    /// Hands over all rows of a table, some hundred at a time, with the values in the order of the table's columns.
    func pages(of table: CopiedTable, _ body: ([[StoredValue]]) throws -> Void) throws
}

/// Writes rows. Used within the body that it was handed to, on that body's thread.
public protocol RowWriter: RowReader {
    /// Adds rows to a table.
    /// - Parameter body: calls the closure that it is handed with rows, as often as it likes.
    func write(_ table: CopiedTable, _ body: (([[StoredValue]]) throws -> Void) throws -> Void) throws

    /// After the last row: adds what this store derives from others' rows, and checks every reference.
    func finish() throws
}

/// What a column of a row holds. A flag is 0 or 1.
public enum StoredValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}

/// A table as stores of every kind have it.
public struct CopiedTable: Hashable, Sendable {
    public let name: String
    public let columns: [Column]
    /// The names of the tables that its rows refer to.
    public let references: Set<String>

    public init(name: String, columns: [Column], references: Set<String>) {
        self.name = name
        self.columns = columns
        self.references = references
    }

    public struct Column: Hashable, Sendable {
        public let name: String
        public let kind: Kind

        public init(name: String, kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    public enum Kind: Hashable, Sendable {
        case integer
        case text
        case bytes
    }
}

extension [CopiedTable] {
    /// Each table after those that it refers to, as far as they don't refer to each other.
    public var inOrderOfReferences: [CopiedTable] {
        var rest = self
        var ordered: [CopiedTable] = []
        while !rest.isEmpty {
            let waiting = Set(rest.map(\.name))
            let next = rest.firstIndex { $0.references.subtracting([$0.name]).isDisjoint(with: waiting) }
            ordered.append(rest.remove(at: next ?? 0))
        }
        return ordered
    }
}

/// How many rows a table has and what is in them, whatever their order: equal in two stores, within one process, when
/// the rows are.
public struct TableDigest: Hashable, Sendable {
    public private(set) var rowsCount = 0
    private var sum: UInt64 = 0

    public init() {}

    public mutating func add(_ row: [StoredValue]) {
        var hasher = Hasher()
        for value in row {
            switch value {
            case .null: hasher.combine(0 as UInt8)
            case .integer(let integer):
                hasher.combine(1 as UInt8)
                hasher.combine(integer)
            case .text(var text):
                // By its bytes: two strings of other scalars may be equal.
                text.withUTF8 { bytes in
                    hasher.combine(2 as UInt8)
                    hasher.combine(bytes.count)
                    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
                }
            case .bytes(let bytes):
                hasher.combine(3 as UInt8)
                hasher.combine(bytes.count)
                bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            }
        }
        self.rowsCount += 1
        self.sum &+= UInt64(truncatingIfNeeded: hasher.finalize())
    }
}

/// Why a store is not copied.
public struct StoreCopyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable name.
    public struct Code: Hashable, Sendable {
        public let rawValue: String

        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }

        /// The target has rows.
        public static let notEmpty = Code("store_not_empty")
        /// Another process uses the store.
        public static let inUse = Code("store_in_use")
        /// The two stores have not the same tables.
        public static let tablesDiffer = Code("store_tables_differ")
        /// What was written is not what was read.
        public static let contentDiffers = Code("store_content_differs")
    }

    public let code: Code
    /// What was wrong and what to do, without data.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(self.code.rawValue): \(self.message)" }
}
