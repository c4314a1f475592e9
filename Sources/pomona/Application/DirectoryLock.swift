//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Synchronization

/// Says that one process, and no other, owns a data directory. The kernel releases it when the process ends, however
/// it ends.
final class DirectoryLock: Sendable {
    /// The descriptor that holds the lock; `nil` once it has been released.
    private let file: Mutex<Int32?>

    /// - Throws: ``CommandFailure`` `directory_in_use` when another process has it.
    init(path: String) throws(CommandFailure) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, FileSystem.privateFileMode)
        guard file >= 0 else {
            if let denial = FilePermissions.denial(of: path, writing: true) { throw denial }
            throw CommandFailure(.fileNotWritable, stage: .dataDirectory, "The file \(path) cannot be written.")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw CommandFailure(
                .directoryInUse, stage: .dataDirectory,
                "Another process is using this data directory (it holds \(path)). Stop it, or name another directory.")
        }
        self.file = Mutex(file)
    }

    /// Releases the directory. Doing it again does nothing.
    func release() {
        self.file.withLock { file in
            if let file { FileSystem.unlockAndClose(file) }
            file = nil
        }
    }

    deinit {
        self.release()
    }
}
