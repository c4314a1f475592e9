//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The right to write a database file: an exclusive `flock` on a file beside it. The system gives it back when the
/// process ends, however it ends, so that a crash leaves nothing to clean up.
final class FileLock: Sendable {
    private let descriptor: CInt

    /// - Throws: ``StoreError/unavailable(_:)`` when somebody else holds it.
    init(path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .unavailable("the lock file cannot be opened; check that its directory exists and may be written")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isHeld = errno == EWOULDBLOCK
            close(descriptor)
            throw .unavailable(
                isHeld
                    ? "another process has it open for writing; stop that one, or open the store for reading only"
                    : "its file system gives no locks; keep the database on a local disk")
        }
        self.descriptor = descriptor
    }

    deinit {
        // Closing gives it back only when nobody else has the file open, and between its fork and its exec a child of
        // this process has.
        flock(self.descriptor, LOCK_UN)
        close(self.descriptor)
    }
}

/// Holds a lock until it is asked to release it.
final class FileLockHolder: Sendable {
    private let lock: Mutex<FileLock?>

    init(_ lock: FileLock?) {
        self.lock = Mutex(lock)
    }

    func release() {
        self.lock.withLock { $0 = nil }
    }
}
