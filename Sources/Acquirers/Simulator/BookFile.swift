//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The book's file on disk.
enum BookFile {
    /// Makes the file for its owner alone, if there is none. SQLite gives the write-ahead log the same permissions. One
    /// that is there is left as it is: whoever has opened it to others is notified so by `pomona`.
    static func prepare(_ path: String) throws(SimulatorBookError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor < 0 else {
            close(descriptor)
            return
        }
        guard errno == EEXIST else { throw .cannotOpen }
    }
}
