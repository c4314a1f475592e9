//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation

/// The data directory and the disk that it lies on.
struct DirectoryExamination: Sendable {
    let directory: DataDirectory
    /// Bytes that are free and that there are, where the directory lies; `nil` where the system does not say.
    var space: @Sendable (_ path: String) -> (free: Int64, all: Int64)? = Self.systemSpace

    /// A durable gateway that cannot write takes no payments; a million of them need about four gigabytes.
    static let freeBytesWarning: Int64 = 2 << 30
    static let freeBytesFailure: Int64 = 200 << 20

    func findings() -> [Finding] {
        var findings: [Finding] = []
        do throws(CommandFailure) {
            try self.directory.checkPermissions()
            findings.append(
                Finding(
                    .directory, "directory_private", .good, "\(self.directory.path) is its owner's alone.",
                    because: "It holds the keys under which Apple's and the merchants' are sealed."))
        } catch {
            findings.append(
                Finding(
                    .directory, "directory_too_open", .failure, error.message,
                    because: "It holds the keys under which Apple's and the merchants' are sealed.",
                    advice: "Take the rights of others away."))
        }
        guard let space = self.space(self.directory.path) else { return findings }
        let severity: Finding.Severity =
            space.free < Self.freeBytesFailure ? .failure : space.free < Self.freeBytesWarning ? .warning : .good
        findings.append(
            Finding(
                .disk, severity == .good ? "disk_has_room" : "disk_nearly_full", severity,
                "\(space.free >> 20) MiB are free where \(self.directory.path) lies, of \(space.all >> 20).",
                because: "What cannot be made durable is refused.",
                advice: severity == .good ? nil : "Make room, or move the data directory."))
        return findings
    }

    private static let systemSpace: @Sendable (String) -> (free: Int64, all: Int64)? = { path in
        guard let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path),
            let free = (attributes[.systemFreeSize] as? NSNumber)?.int64Value,
            let all = (attributes[.systemSize] as? NSNumber)?.int64Value
        else { return nil }
        return (free, all)
    }
}
