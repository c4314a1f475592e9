//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StoreRows

/// The arguments of one statement in PostgreSQL's binary format (libpq, PQexecParams): no value is ever written into a
/// statement's text. They are laid beside each other, so that none is allocated on its own.
struct PostgreSQLArgumentBuffer {
    private var bytes: [UInt8] = []
    /// `nil` for NULL.
    private var slots: [Range<Int>?] = []
    /// Whether a text has a NUL character, which PostgreSQL's text has not
    /// (postgresql.org/docs/15/datatype-character.html).
    private(set) var hasNULText = false

    mutating func set(_ arguments: RowArguments) {
        self.bytes.removeAll(keepingCapacity: true)
        self.slots.removeAll(keepingCapacity: true)
        self.hasNULText = false
        for argument in arguments.values {
            let start = self.bytes.count
            switch argument {
            case .null:
                self.slots.append(nil)
                continue
            case .text(let text):
                self.bytes.append(contentsOf: text.utf8)
                if self.bytes[start...].contains(0) { self.hasNULText = true }
            // All columns of whole numbers are of the type bigint.
            case .integer(let integer): withUnsafeBytes(of: integer.bigEndian) { self.bytes.append(contentsOf: $0) }
            case .flag(let flag): self.bytes.append(flag ? 1 : 0)
            case .bytes(let bytes): self.bytes.append(contentsOf: bytes)
            }
            self.slots.append(start..<self.bytes.count)
        }
    }

    /// Gives the arguments as libpq wants them: pointers, lengths and formats, each as many as the first number says.
    func withParameters<Value>(
        _ work: (
            _ count: CInt, _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<CInt>?,
            _ formats: UnsafePointer<CInt>?
        ) -> Value
    ) -> Value {
        self.bytes.withUnsafeBytes { bytes in
            withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { empty in
                // An empty buffer may have no address, and a null pointer stands for NULL.
                let start = bytes.baseAddress ?? UnsafeRawPointer(empty.baseAddress)
                let values = self.slots.map { slot in
                    slot.flatMap { start?.advanced(by: $0.lowerBound).assumingMemoryBound(to: CChar.self) }
                }
                let lengths = self.slots.map { CInt($0?.count ?? 0) }
                let formats = [CInt](repeating: 1, count: self.slots.count)
                return work(CInt(self.slots.count), values, lengths, formats)
            }
        }
    }
}
