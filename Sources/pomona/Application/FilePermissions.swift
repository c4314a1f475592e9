//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// Who may read and write what a gateway keeps. What is too open is refused with what to say to mend it.
///
/// A link is as safe as what it points to, if nobody else can point it elsewhere: so the link's owner counts, too.
enum FilePermissions {
    /// Checks a file that holds a secret: it must be this user's or root's, and nobody else's to read or write. Root may
    /// have given it to a group to read, as a volume of Kubernetes' Secrets is and keys of TLS are (PostgreSQL's client
    /// library takes the same: libpq, "SSL Client File Usage").
    ///
    /// - Parameter user: who runs this program.
    /// - Throws: ``CommandFailure`` `file_missing`, `file_malformed`, `file_owner_wrong`, `file_too_open`.
    static func checkSecret(_ path: String, user: uid_t = geteuid()) throws(CommandFailure) {
        let status = try self.status(of: path, user: user)
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.fileMalformed, stage: .dataDirectory, "\(path) is no file.")
        }
        let isGivenByRoot = status.st_uid == 0 && user != 0
        guard status.st_mode & (isGivenByRoot ? 0o037 : 0o077) == 0 else {
            throw CommandFailure(
                .fileTooOpen, stage: .dataDirectory,
                "The file \(path) has the mode \(self.octal(status)): it may be read or written by others than its owner. "
                    + "Say: chmod 600 \(path)")
        }
    }

    /// Checks the data directory: what is in it is nobody else's to see or to replace.
    ///
    /// - Throws: ``CommandFailure`` `file_missing`, `file_owner_wrong`, `directory_too_open`.
    static func checkPrivateDirectory(_ path: String) throws(CommandFailure) {
        let status = try self.status(of: path)
        guard status.st_mode & 0o066 == 0 else {
            throw CommandFailure(
                .directoryTooOpen, stage: .dataDirectory,
                "The directory \(path) has the mode \(self.octal(status)): others than its owner may read it or write to it. "
                    + "Say: chmod 700 \(path)")
        }
    }

    /// Checks a directory: whoever may write to it can put other files in the place of those in it.
    ///
    /// - Throws: ``CommandFailure`` `file_missing`, `file_owner_wrong`, `directory_too_open`.
    static func checkDirectory(_ path: String) throws(CommandFailure) {
        let status = try self.status(of: path)
        guard status.st_mode & 0o022 == 0 else {
            throw CommandFailure(
                .directoryTooOpen, stage: .dataDirectory,
                "The directory \(path) has the mode \(self.octal(status)): others than its owner may write to it. "
                    + "Say: chmod go-w \(path)")
        }
    }

    /// What is at a path, behind whatever links.
    private static func status(of path: String, user: uid_t = geteuid()) throws(CommandFailure) -> stat {
        var link = stat()
        var status = stat()
        guard lstat(path, &link) == 0, stat(path, &status) == 0 else {
            if let denial = self.denial(of: path) { throw denial }
            throw CommandFailure(.fileMissing, stage: .dataDirectory, "There is no file \(path).")
        }
        for owner in [link.st_uid, status.st_uid] where owner != user && owner != 0 {
            throw CommandFailure(
                .fileOwnerWrong, stage: .dataDirectory,
                "\(path) belongs to the user \(self.name(of: owner)), who could change it. Run this command as that user, "
                    + "or say: chown \(self.name(of: geteuid())) \(path)")
        }
        return status
    }

    /// Why a path cannot be used, where that is for want of permission: which directory or file is closed to this user.
    ///
    /// - Parameter writing: whether something is to be written at the path, rather than read.
    static func denial(of path: String, writing: Bool = false) -> CommandFailure? {
        var reached = ""
        for part in path.split(separator: "/") {
            let parent = reached.isEmpty ? "/" : reached
            reached += "/\(part)"
            // A file in the way is another matter than a directory that is closed.
            guard self.isDirectory(parent) else { return nil }
            if self.isDenied(parent, X_OK) { return self.denied(parent, "enter the directory") }
            var status = stat()
            guard stat(reached, &status) == 0 else {
                return writing && self.isDenied(parent, W_OK) ? self.denied(parent, "write to the directory") : nil
            }
        }
        let isDirectory = self.isDirectory(path)
        if isDirectory, self.isDenied(path, X_OK) { return self.denied(path, "enter the directory") }
        if self.isDenied(path, R_OK) { return self.denied(path, isDirectory ? "read the directory" : "read the file") }
        guard writing, self.isDenied(path, W_OK) else { return nil }
        return self.denied(path, isDirectory ? "write to the directory" : "write the file")
    }

    private static func isDenied(_ path: String, _ mode: Int32) -> Bool { access(path, mode) != 0 && errno == EACCES }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func denied(_ path: String, _ act: String) -> CommandFailure {
        CommandFailure(
            .permissionDenied, stage: .dataDirectory,
            "Permission denied: the user \(self.name(of: geteuid())) may not \(act) \(path). Run this command as its "
                + "owner, or give this user the permission.")
    }

    private static func name(of user: uid_t) -> String {
        getpwuid(user).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "\(user)"
    }

    private static func octal(_ status: stat) -> String {
        let digits = String(status.st_mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension DataDirectory {
    /// Checks the directory and whatever secret is in it, and the store's file where that lies elsewhere.
    ///
    /// - Parameter store: where it is to be; without one, where the directory remembers it.
    func checkPermissions(store: StoreLocation? = nil) throws(CommandFailure) {
        try self.checkOwnPermissions()
        // What the directory remembers and cannot be read is said by whoever opens the store.
        let location = if let store { store } else { try? self.storeLocation() }
        guard let file = location?.file(outside: self) else { return }
        let directory = StoreLocation.directory(of: file)
        // Whoever may write to it can put a log beside the store's file, which SQLite then believes.
        if FileSystem.exists(directory) { try FilePermissions.checkDirectory(directory) }
        for path in ["", "-wal", "-shm"].map({ file + $0 }) where FileSystem.exists(path) {
            try FilePermissions.checkSecret(path)
        }
    }

    private func checkOwnPermissions() throws(CommandFailure) {
        guard FileSystem.exists(self.path) else {
            if let denial = FilePermissions.denial(of: self.path) { throw denial }
            return
        }
        try FilePermissions.checkPrivateDirectory(self.path)
        if let denial = FilePermissions.denial(of: self.path) { throw denial }
        for directory in [self.tlsPath, self.authorityPath, self.merchantsPath] where FileSystem.exists(directory) {
            try FilePermissions.checkDirectory(directory)
        }
        let key = MasterKeyFiles(path: self.masterKeyPath)
        let secrets = [
            self.storeLocationPath, self.linkSecretPath, key.path, key.newPath, key.oldPath, self.caKeyPath,
            self.serverKeyPath, self.storePath, self.acquirerStorePath,
        ]
        for path in secrets where FileSystem.exists(path) { try FilePermissions.checkSecret(path) }
    }
}
