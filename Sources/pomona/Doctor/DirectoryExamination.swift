//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation

/// The data directory, the directory that the store's file lies in, and the disks that they lie on.
struct DirectoryExamination: Sendable {
    let directory: DataDirectory
    /// Where the store is to be; `nil` for where the directory remembers it.
    var store: StoreLocation?
    /// Bytes that are free and that there are, where the directory lies; `nil` where the system does not say.
    var space: @Sendable (_ path: String) -> (free: Int64, all: Int64)? = Self.systemSpace
    /// Which file system a path lies on.
    var fileSystem: @Sendable (_ path: String) -> UInt64? = Self.systemDevice

    /// A durable gateway that cannot write takes no payments; a million of them need about four gigabytes.
    static let freeBytesWarning: Int64 = 2 << 30
    static let freeBytesFailure: Int64 = 200 << 20

    /// The directory of the store's file, where it is another one.
    private var storeDirectory: String? {
        let location = try? self.store ?? self.directory.storeLocation()
        return location?.file(outside: self.directory).map(StoreLocation.directory)
    }

    func findings() -> [Finding] {
        [self.permissions()] + self.room()
    }

    private func permissions() -> Finding {
        let reason = "It holds the payments, and the keys under which Apple's and the merchants' are sealed."
        do throws(CommandFailure) {
            try self.directory.checkPermissions(store: self.store)
            let store = self.storeDirectory.map { ", and so is the store in \($0)" } ?? ""
            return Finding(
                .directory, "directory_private", .good, "\(self.directory.path) is its owner's alone\(store).",
                because: reason)
        } catch {
            return Finding(
                .directory, "directory_too_open", .failure, error.message, because: reason,
                advice: "Take the rights of others away.")
        }
    }

    /// How much is free on each disk: that of the directory, and the store's where it is another one.
    func room() -> [Finding] {
        var findings = [self.room(in: self.directory.path, advice: "Make room, or move the data directory.")]
        if let other = self.storeDirectory,
            self.fileSystem(other) != self.fileSystem(self.directory.path) || self.fileSystem(other) == nil
        {
            findings.append(self.room(in: other, subject: other, advice: "Make room, or move the store."))
        }
        return findings.compactMap(\.self)
    }

    private func room(in path: String, subject: String? = nil, advice: String) -> Finding? {
        guard let space = self.space(path) else { return nil }
        let severity: Finding.Severity =
            space.free < Self.freeBytesFailure ? .failure : space.free < Self.freeBytesWarning ? .warning : .good
        return Finding(
            .disk, severity == .good ? "disk_has_room" : "disk_nearly_full", severity, subject: subject,
            "\(space.free >> 20) MiB are free where \(path) lies, of \(space.all >> 20).",
            because: "What cannot be made durable is refused.", advice: severity == .good ? nil : advice)
    }

    private static let systemSpace: @Sendable (String) -> (free: Int64, all: Int64)? = { path in
        guard let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path),
            let free = (attributes[.systemFreeSize] as? NSNumber)?.int64Value,
            let all = (attributes[.systemSize] as? NSNumber)?.int64Value
        else { return nil }
        return (free, all)
    }

    private static let systemDevice: @Sendable (String) -> UInt64? = { path in
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_dev) : nil
    }
}
