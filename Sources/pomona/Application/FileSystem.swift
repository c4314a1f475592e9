//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// What the program does to files, so that private ones are private from the first byte on and no crash leaves half a
/// file.
enum FileSystem {
    /// Read and write for the owner alone.
    static let privateFileMode: mode_t = 0o600
    /// Enter, list and write for the owner alone.
    static let privateDirectoryMode: mode_t = 0o700

    /// A path from the root on, without "." and "..", whether or not there is something at it.
    static func absolutePath(_ path: String) -> String {
        URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
            .standardizedFileURL.path(percentEncoded: false).droppingTrailingSlashes()
    }

    /// Releases a file that is locked with flock(2). Closing gives the lock back only when nobody else has the file
    /// open, and between its fork and its exec a child of this process has.
    static func unlockAndClose(_ file: Int32) {
        flock(file, LOCK_UN)
        close(file)
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// The names in a directory, sorted; none if there is no directory.
    static func names(in directory: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
    }

    /// Makes a directory that only its owner can enter, and those above it. One that is there is left as it is.
    static func makePrivateDirectory(_ path: String) throws(CommandFailure) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: Int(self.privateDirectoryMode)])
        } catch {
            if let denial = FilePermissions.denial(of: path, writing: true) { throw denial }
            throw CommandFailure(
                .fileNotWritable, stage: .dataDirectory,
                "The directory \(path) cannot be made. Name one that you may write to.")
        }
    }

    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            if let denial = FilePermissions.denial(of: path) { throw denial }
            if self.exists(path) {
                throw CommandFailure(.fileUnreadable, stage: .dataDirectory, "The file \(path) cannot be read.")
            }
            throw CommandFailure(.fileMissing, stage: .dataDirectory, "There is no file \(path).")
        }
        return Array(data)
    }

    static func readText(_ path: String) throws(CommandFailure) -> String {
        guard let text = String(validating: try self.read(path), as: UTF8.self) else {
            throw CommandFailure(.fileMalformed, stage: .dataDirectory, "The file \(path) is not UTF-8 text.")
        }
        return text
    }

    /// Reads a file that holds a secret, and refuses one that others may read or write.
    static func readPrivateText(_ path: String) throws(CommandFailure) -> String {
        try FilePermissions.checkSecret(path)
        return try self.readText(path)
    }

    /// Writes a whole file or nothing: a new file beside it, flushed to the disk, then renamed over it.
    static func write(_ text: String, to path: String, mode: mode_t = 0o644) throws(CommandFailure) {
        let temporary = "\(path).\(getpid()).new"
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let failure =
            FilePermissions.denial(of: directory, writing: true)
            ?? CommandFailure(
                .fileNotWritable, stage: .dataDirectory, "The file \(path) cannot be written.")
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure }
        let isWritten = self.writeAll(Array(text.utf8), to: file) && fsync(file) == 0
        let isClosed = close(file) == 0
        guard isWritten, isClosed, rename(temporary, path) == 0 else {
            unlink(temporary)
            throw failure
        }
        guard self.makeNameDurable(path) else { throw failure }
    }

    /// Puts a file in the place of another, durably.
    static func replace(_ path: String, with newPath: String) throws(CommandFailure) {
        guard rename(newPath, path) == 0, self.makeNameDurable(path) else {
            throw CommandFailure(
                .fileNotWritable, stage: .dataDirectory, "The file \(newPath) cannot be renamed to \(path).")
        }
    }

    /// A name is durable only once its directory is (fsync(2)).
    private static func makeNameDurable(_ path: String) -> Bool {
        let directory = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return false }
        defer { close(directory) }
        return fsync(directory) == 0
    }

    static func remove(_ path: String) throws(CommandFailure) {
        guard unlink(path) == 0 else {
            throw CommandFailure(.fileNotWritable, stage: .dataDirectory, "The file \(path) cannot be removed.")
        }
    }

    static func writePrivate(_ text: String, to path: String) throws(CommandFailure) {
        try self.write(text, to: path, mode: self.privateFileMode)
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let count = Foundation.write(
                    file, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
    }
}

extension String {
    fileprivate func droppingTrailingSlashes() -> String {
        var text = self[...]
        while text.count > 1, text.last == "/" { text = text.dropLast() }
        return String(text)
    }
}
