//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StoreRows

/// The types that columns may have, by their numbers in PostgreSQL's catalog (pg_type.dat).
enum BinaryType: UInt32 {
    case boolean = 16
    case bytea = 17
    case bigint = 20
    case text = 25

    var kind: CopiedTable.Kind {
        switch self {
        case .boolean, .bigint: .integer
        case .bytea: .bytes
        case .text: .text
        }
    }
}

/// COPY's binary format (postgresql.org/docs/15/sql-copy.html, "Binary Format"): a signature, a word of flags, an
/// extension with its length; each row as the number of its columns and the columns with their lengths; -1 at the end.
private let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF] + Array("\r\n\u{0}".utf8)

/// Reads rows of COPY's binary format.
struct BinaryRowReader {
    private let table: CopiedTable
    private let types: [BinaryType]
    private var hasBegun = false

    init(table: CopiedTable, types: [BinaryType]) {
        self.table = table
        self.types = types
    }

    /// - Parameter bytes: whole rows, as libpq gives them.
    mutating func read(_ bytes: UnsafeRawBufferPointer, _ body: ([StoredValue]) -> Void) throws {
        var offset = 0
        if !self.hasBegun {
            guard bytes.starts(with: signature) else { throw StoreError.corrupt(self.table.name) }
            offset = signature.count
            _ = try self.integer(bytes, &offset, Int32.self)
            let extensionCount = try self.integer(bytes, &offset, Int32.self)
            _ = try self.take(Int(extensionCount), bytes, &offset)
            self.hasBegun = true
        }
        while offset < bytes.count {
            let count = try self.integer(bytes, &offset, Int16.self)
            if count == -1 { return }
            guard Int(count) == self.types.count else { throw StoreError.corrupt(self.table.name) }
            var row: [StoredValue] = []
            row.reserveCapacity(self.types.count)
            for index in self.types.indices { row.append(try self.value(at: index, bytes, &offset)) }
            body(row)
        }
    }

    private func value(at index: Int, _ bytes: UnsafeRawBufferPointer, _ offset: inout Int) throws -> StoredValue {
        let count = try self.integer(bytes, &offset, Int32.self)
        guard count >= 0 else { return .null }
        let field = try self.take(Int(count), bytes, &offset)
        switch (self.types[index], field.count) {
        case (.boolean, 1): return .integer(field[0] == 0 ? 0 : 1)
        case (.bigint, 8): return .integer(Int64(bigEndian: field.loadUnaligned(as: Int64.self)))
        case (.bytea, _): return .bytes(Array(field))
        case (.text, _):
            guard let text = String(validating: field, as: UTF8.self) else { break }
            return .text(text)
        default: break
        }
        throw StoreError.corrupt("\(self.table.name).\(self.table.columns[index].name)")
    }

    private func integer<Value: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, _ type: Value.Type
    ) throws -> Value {
        Value(bigEndian: try self.take(type.bitWidth / 8, bytes, &offset).loadUnaligned(as: type))
    }

    private func take(
        _ count: Int, _ bytes: UnsafeRawBufferPointer, _ offset: inout Int
    ) throws -> UnsafeRawBufferPointer {
        guard count >= 0, bytes.count - offset >= count else { throw StoreError.corrupt(self.table.name) }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }
}

/// Writes rows in COPY's binary format.
struct BinaryRowWriter {
    private let table: CopiedTable
    private let types: [BinaryType]
    private var bytes = signature + [UInt8](repeating: 0, count: 8)

    init(table: CopiedTable, types: [BinaryType]) {
        self.table = table
        self.types = types
    }

    mutating func append(_ row: [StoredValue]) throws {
        guard row.count == self.types.count else { throw StoreError.corrupt(self.table.name) }
        self.append(Int16(row.count))
        for (index, value) in row.enumerated() {
            switch (value, self.types[index]) {
            case (.null, _): self.append(-1 as Int32)
            case (.integer(0), .boolean), (.integer(1), .boolean):
                self.append(1 as Int32)
                self.bytes.append(value == .integer(0) ? 0 : 1)
            case (.integer(let integer), .bigint):
                self.append(8 as Int32)
                self.append(integer)
            case (.text(let text), .text): try self.append(text.utf8, at: index)
            case (.bytes(let bytes), .bytea): try self.append(bytes, at: index)
            default: throw StoreError.corrupt("\(self.table.name).\(self.table.columns[index].name)")
            }
        }
    }

    mutating func appendEnd() {
        self.append(-1 as Int16)
    }

    /// Sends what has gathered.
    mutating func flush(_ send: (UnsafeRawBufferPointer) throws -> Void) throws {
        try self.bytes.withUnsafeBytes { try send($0) }
        self.bytes.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ field: some Collection<UInt8>, at index: Int) throws {
        guard let count = Int32(exactly: field.count) else {
            throw StoreError.corrupt("\(self.table.name).\(self.table.columns[index].name)")
        }
        self.append(count)
        self.bytes.append(contentsOf: field)
    }

    private mutating func append(_ integer: some FixedWidthInteger) {
        withUnsafeBytes(of: integer.bigEndian) { self.bytes.append(contentsOf: $0) }
    }
}
