//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// Takes turns on a data directory's test authority: whoever mints the first RSA_v1 token makes the leaf that signs it,
/// and two at once would each make one and mix up their files.
enum AuthorityLock {
    /// Runs the body while no other process mints. Waits for its turn; the kernel releases the lock when a process
    /// ends.
    static func withLock<Value>(
        of directory: DataDirectory, _ body: () async throws -> Value
    ) async throws -> Value {
        let path = "\(directory.authorityPath)/lock"
        // Without the directory there is nothing to take turns on, and loading it says so.
        guard FileSystem.exists(directory.authorityPath) else { return try await body() }
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, FileSystem.privateFileMode)
        guard file >= 0 else {
            throw CommandFailure(.fileNotWritable, stage: .dataDirectory, "The file \(path) cannot be written.")
        }
        defer { FileSystem.unlockAndClose(file) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw CommandFailure(
                    .fileNotWritable, stage: .dataDirectory,
                    "The file \(path) cannot be locked; keep the data directory on a local disk.")
            }
        }
        return try await body()
    }
}
