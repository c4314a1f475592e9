//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Foundation
import Redaction

/// A master key's file, and those beside it while the key is changed: a new key is first on the disk, then the store's
/// data keys are sealed under it, and then its file takes the place of the old one. Whenever a crash comes, one of the two
/// files opens the store, and both are tried at the start.
struct MasterKeyFiles {
    let path: String

    /// The next key, until it has taken the place.
    var newPath: String { self.path + ".new" }
    /// The last key, which opens backups from before.
    var oldPath: String { self.path + ".old" }

    /// Held for as long as somebody changes the key.
    ///
    /// - Throws: ``CommandFailure`` `master_key_busy`.
    func lock() throws(CommandFailure) -> DirectoryLock {
        do throws(CommandFailure) {
            return try DirectoryLock(path: self.path + ".lock")
        } catch {
            guard error.isA(.directoryInUse) else { throw error }
            throw CommandFailure(
                .masterKeyBusy, stage: .dataDirectory,
                "Another process is changing the master key \(self.path). Wait until it has ended.")
        }
    }

    /// Whether a new file can take the place of the key's for whoever reads it: of a link the link would be replaced, and
    /// a file that is mounted by itself (a secret of a container's) cannot be renamed over (rename(2), EBUSY). One that
    /// another user or a group reads would be this user's alone.
    ///
    /// - Throws: ``CommandFailure`` `new_key_file_missing`.
    func checkReplaceable() throws(CommandFailure) {
        var (file, directory) = (stat(), stat())
        let parent = StoreLocation.directory(of: self.path)
        guard lstat(self.path, &file) == 0, stat(parent, &directory) == 0 else { return }
        let hindrance: String? =
            if file.st_mode & S_IFMT == S_IFLNK {
                "is a link"
            } else if file.st_dev != directory.st_dev {
                "is mounted by itself"
            } else if file.st_uid != geteuid() || file.st_mode & 0o077 != 0 {
                "is read by others than this user, who could not read a new one"
            } else {
                nil
            }
        guard let hindrance else { return }
        throw CommandFailure(
            .newKeyFileMissing, stage: .keys,
            "The master key's file \(self.path) \(hindrance), so this command does not replace it. Name a file for the new "
                + "key with --new-key-file, then put its content there. Nothing has been changed.")
    }

    func writeNew(_ key: Redacted<[UInt8]>) throws(CommandFailure) {
        try FileSystem.writePrivate(Hex.encode(key.reveal()) + "\n", to: self.newPath)
    }

    /// Keeps the key that is about to be changed: where that can't be done nothing is.
    func keepOld() throws(CommandFailure) {
        // A link would be refused where the file is another user's (fs.protected_hardlinks).
        try FileSystem.writePrivate(try FileSystem.readPrivateText(self.path), to: self.oldPath)
    }

    /// Deletes the copies of keys that processes have left behind that ended while they wrote one: ``FileSystem/write`` writes
    /// beside the file first, and what is killed in between removes nothing. A process that lives keeps its own.
    ///
    /// Call it while ``lock()`` is held, before anything is written: then a name with this process's own number is also of
    /// one that is gone, since a container counts from 1 again at each start.
    ///
    /// - Throws: ``CommandFailure`` `file_not_writable`.
    func removeLeftovers() throws(CommandFailure) {
        for leftover in self.leftovers() { try FileSystem.remove(leftover) }
    }

    /// As ``removeLeftovers()``, under the lock, at the start of a gateway; without an effect where somebody changes the key,
    /// or the directory is not to be written to.
    func removeLeftoversAtStart() {
        // No lock's file where there is nothing to do.
        guard !self.leftovers().isEmpty, let lock = try? self.lock() else { return }
        defer { lock.release() }
        try? self.removeLeftovers()
    }

    /// FILE, FILE.new and FILE.old with `.PID.new` behind, whose process is gone.
    private func leftovers() -> [String] {
        let directory = StoreLocation.directory(of: self.path)
        let name = URL(fileURLWithPath: self.path).lastPathComponent
        return FileSystem.names(in: directory).filter { candidate in
            let parts = candidate.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard parts.count > 2, parts.last == "new", let number = Self.processNumber(parts[parts.count - 2]),
                [name, name + ".new", name + ".old"].contains(parts.dropLast(2).joined(separator: "."))
            else { return false }
            var status = stat()
            guard lstat("\(directory)/\(candidate)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                return false
            }
            // kill(2): signal 0 only asks; EPERM is the answer about another user's process.
            return number == getpid() || (kill(number, 0) != 0 && errno == ESRCH)
        }.map { "\(directory)/\($0)" }
    }

    private static func processNumber(_ text: String) -> pid_t? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = pid_t(text) else { return nil }
        return number > 0 ? number : nil
    }

    /// The new key takes the place of the old one. There is a key under the name at every moment.
    func swap() throws(CommandFailure) {
        try FileSystem.replace(self.path, with: self.newPath)
    }
}
