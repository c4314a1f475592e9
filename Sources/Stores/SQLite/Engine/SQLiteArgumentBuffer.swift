//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import GRDBSQLite
import StoreRows

/// The arguments of one execution. Texts and blobs lie one after the other in one buffer that is used again and again,
/// so that SQLite can be handed pointers into it (`SQLITE_STATIC`) instead of copying each.
struct SQLiteArgumentBuffer {
    private enum Slot {
        case null
        case integer(Int64)
        case text(offset: Int, count: Int)
        case blob(offset: Int, count: Int)
    }

    private var slots: [Slot] = []
    private var bytes: [UInt8] = []

    mutating func set(_ arguments: RowArguments) {
        self.slots.removeAll(keepingCapacity: true)
        self.bytes.removeAll(keepingCapacity: true)
        for argument in arguments.values {
            let offset = self.bytes.count
            switch argument {
            case .null: self.slots.append(.null)
            case .text(let text):
                self.bytes.append(contentsOf: text.utf8)
                self.slots.append(.text(offset: offset, count: self.bytes.count - offset))
            case .integer(let integer): self.slots.append(.integer(integer))
            case .flag(let flag): self.slots.append(.integer(flag ? 1 : 0))
            case .bytes(let bytes):
                self.bytes.append(contentsOf: bytes)
                self.slots.append(.blob(offset: offset, count: bytes.count))
            }
        }
    }

    /// Binds the arguments for as long as the work lasts.
    func withBound<Value>(to statement: OpaquePointer, _ work: () throws -> Value) throws -> Value {
        precondition(
            Int(sqlite3_bind_parameter_count(statement)) == self.slots.count,
            "a statement has another number of parameters")
        return try self.bytes.withUnsafeBytes { bytes in
            // An empty buffer may have no address; SQLite takes a null pointer for NULL.
            try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { empty in
                let start = bytes.baseAddress ?? UnsafeRawPointer(empty.baseAddress)
                for (index, slot) in self.slots.enumerated() {
                    let parameter = CInt(index + 1)
                    switch slot {
                    case .null: sqlite3_bind_null(statement, parameter)
                    case .integer(let integer): sqlite3_bind_int64(statement, parameter, integer)
                    case .text(let offset, let count):
                        let text = start?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
                        sqlite3_bind_text(statement, parameter, text, CInt(count), nil)
                    case .blob(let offset, let count):
                        sqlite3_bind_blob(statement, parameter, start?.advanced(by: offset), CInt(count), nil)
                    }
                }
                defer { sqlite3_clear_bindings(statement) }
                return try work()
            }
        }
    }
}
