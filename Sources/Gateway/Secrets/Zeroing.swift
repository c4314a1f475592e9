//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// Overwriting of secrets in memory.
///
/// `SymmetricKey` does it by itself. An array can be overwritten only where it is this holder's alone: a copy that is
/// shared is left to the other holder, and what the runtime has copied before (a buffer that grew, a `String`) is out of
/// reach. docs/secrets.md says what is and what is not promised.
enum Zeroing {
    /// Overwrites the bytes, if nobody else holds them.
    static func overwrite(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes(self.overwrite)
        bytes = []
    }

    static func overwrite(_ data: inout Data) {
        data.withUnsafeMutableBytes(self.overwrite)
        data = Data()
    }

    /// Writes that a compiler may not leave out, though nobody reads them.
    private static func overwrite(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return }
        #if canImport(Darwin)
        _ = memset_s(start, buffer.count, 0, buffer.count)
        #else
        explicit_bzero(start, buffer.count)
        #endif
    }
}
