//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Payments
import Redaction
import StrictJSON

/// A new master key, so that at every moment one of two known files opens the store.
struct MasterKeyChange {
    /// How many data keys the new key seals.
    let dataKeysCount: Int
    /// Where the new key is.
    let path: String
    /// Where the old one is; `nil` where it is as it was, in the operator's hands.
    let oldPath: String?
    /// Whether an earlier change, cut short by a crash, was brought to its end.
    let wasResumed: Bool

    static func run(
        _ directory: DataDirectory, newKeyPath: String?, random: (Int) -> [UInt8]
    ) async throws -> MasterKeyChange {
        let choice = try DirectoryAccess.masterKey(of: directory)
        guard let newKeyPath else {
            guard case .file(let path) = choice else {
                throw CommandFailure(
                    .newKeyFileMissing, stage: .keys,
                    "The master key comes from \(choice.summary), which this command cannot change. Name a file for the new "
                        + "key with --new-key-file, then put its content there.")
            }
            return try await self.changeFile(MasterKeyFiles(path: path), directory, random)
        }
        // What opens nothing changes nothing, nor makes a file.
        _ = try await choice.read()
        let lock = try MasterKeyFiles(path: newKeyPath).lock()
        defer { lock.release() }
        try MasterKeyFiles(path: newKeyPath).removeLeftovers()
        if !FileSystem.exists(newKeyPath) { try self.writeKey(Redacted(random(32)), to: newKeyPath) }
        let newKey = try DataDirectory.masterKey(at: newKeyPath)
        let count = try await DirectoryAccess.withAdministration(directory) { try await $0.changeMasterKey(to: newKey) }
        return MasterKeyChange(dataKeysCount: count, path: newKeyPath, oldPath: nil, wasResumed: false)
    }

    private static func writeKey(_ key: Redacted<[UInt8]>, to path: String) throws(CommandFailure) {
        try MasterKeyFiles(path: path).writeNew(key)
        try FileSystem.replace(path, with: MasterKeyFiles(path: path).newPath)
    }

    private static func changeFile(
        _ files: MasterKeyFiles, _ directory: DataDirectory, _ random: (Int) -> [UInt8]
    ) async throws -> MasterKeyChange {
        _ = try await MasterKeyChoice.file(path: files.path).read()
        try files.checkReplaceable()
        let lock = try files.lock()
        defer { lock.release() }
        try files.removeLeftovers()
        let newKey = Redacted(random(32))
        try files.keepOld()
        let (count, wasResumed) = try await DirectoryAccess.withAdministration(directory) { administration in
            if FileSystem.exists(files.newPath) {
                let dataKeys = try await administration.read { try $0.dataKeys() }
                if try Administration.opens(try DataDirectory.masterKey(at: files.newPath), dataKeys) {
                    return (dataKeys.count, true)
                }
            }
            // One that is there opens nothing: it was written, and then came a crash.
            try files.writeNew(newKey)
            return (try await administration.changeMasterKey(to: newKey), false)
        }
        try files.swap()
        return MasterKeyChange(
            dataKeysCount: count, path: files.path, oldPath: files.oldPath, wasResumed: wasResumed)
    }

    func write(to console: Console, json: Bool) {
        if json {
            let report: JSON = [
                "masterKeyFile": .string(self.path), "oldKeyFile": self.oldPath.map { .string($0) } ?? .null,
                "dataKeys": JSON(self.dataKeysCount), "resumed": .bool(self.wasResumed),
            ]
            return console.line(report.text(pretty: true))
        }
        if self.wasResumed { console.line("An earlier change of the master key was cut short; it is finished now.") }
        console.line("\(Text.count(self.dataKeysCount, "data key")) sealed under the new master key in \(self.path).")
        if let oldPath {
            console.line(
                "The old one is in \(oldPath). It opens backups from before, and nothing else: keep it with them.")
        } else {
            console.line("Put it where gateways take their master key from, before one is started again.")
        }
        console.line(
            "Back the new key up now, apart from the store. Other nodes need it too before they are started again.")
    }
}
