//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Redaction
import Testing

@testable import pomona

/// Who may read and write what a gateway keeps.
@Suite struct FilePermissionsTests {
    private func failure(_ work: () throws -> Void) -> CommandFailure? {
        #expect(throws: CommandFailure.self) { try work() }
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o601, 0o660, 0o666, 0o644] as [mode_t])
    func openFileIsRefusedWithItsModeAndWhatToSay(_ mode: mode_t) throws {
        let folder = try CliFolder()
        let path = try folder.write("secret", "x")
        chmod(path, mode)
        let error = self.failure { try FilePermissions.checkSecret(path) }
        #expect(error?.code == "file_too_open")
        #expect(error?.message.contains("has the mode 0\(String(mode, radix: 8))") == true, "\(error?.message ?? "")")
        #expect(error?.message.hasSuffix("Say: chmod 600 \(path)") == true)
    }

    @Test(arguments: [0o600, 0o400, 0o700] as [mode_t])
    func privateFileIsTaken(_ mode: mode_t) throws {
        let folder = try CliFolder()
        let path = try folder.write("secret", "x")
        chmod(path, mode)
        try FilePermissions.checkSecret(path)
    }

    /// A volume of Kubernetes' Secrets: root's, and the pod's group may read.
    @Test(.enabled(if: geteuid() == 0), arguments: [(0o440, true), (0o640, true), (0o660, false), (0o444, false)])
    func rootMayGiveAFileToAGroupToRead(_ mode: mode_t, isTaken: Bool) throws {
        let folder = try CliFolder()
        let path = try folder.write("secret", "x")
        chmod(path, mode)
        if isTaken {
            try FilePermissions.checkSecret(path, user: 65_532)
        } else {
            #expect(self.failure { try FilePermissions.checkSecret(path, user: 65_532) }?.code == "file_too_open")
        }
        // Of root's own program nobody else may read the file, and nobody but root gives files to a group.
        #expect(self.failure { try FilePermissions.checkSecret(path, user: 0) }?.code == "file_too_open")
        #expect(chown(path, 65_532, 65_532) == 0)
        #expect(self.failure { try FilePermissions.checkSecret(path, user: 65_532) }?.code == "file_too_open")
    }

    @Test func linkIsAsOpenAsItsTarget() throws {
        let folder = try CliFolder()
        let (target, link) = (try folder.write("secret", "x"), folder.file("link"))
        #expect(symlink(target, link) == 0)
        chmod(target, 0o600)
        try FilePermissions.checkSecret(link)
        chmod(target, 0o640)
        #expect(self.failure { try FilePermissions.checkSecret(link) }?.code == "file_too_open")
        unlink(target)
        #expect(self.failure { try FilePermissions.checkSecret(link) }?.code == "file_missing")
    }

    @Test func directoryIsNoSecret() throws {
        let folder = try CliFolder()
        #expect(self.failure { try FilePermissions.checkSecret(folder.path) }?.code == "file_malformed")
    }

    /// Only root can give files away.
    @Test(.enabled(if: geteuid() == 0))
    func fileOfAnotherUserIsRefused() throws {
        let folder = try CliFolder()
        let (path, link) = (try folder.write("secret", "x"), folder.file("link"))
        chmod(path, 0o600)
        #expect(symlink(path, link) == 0)
        try FilePermissions.checkSecret(link)
        #expect(lchown(link, 12_345, 12_345) == 0)
        #expect(self.failure { try FilePermissions.checkSecret(link) }?.code == "file_owner_wrong")
        #expect(chown(path, 12_345, 12_345) == 0)
        let error = self.failure { try FilePermissions.checkSecret(path) }
        #expect(error?.code == "file_owner_wrong")
        #expect(error?.message.contains("belongs to the user 12345") == true)
        #expect(error?.message.contains("chown root \(path)") == true)
    }

    @Test(arguments: [0o770, 0o702, 0o777, 0o1777, 0o755, 0o750, 0o704] as [mode_t])
    func directoryThatOthersReadOrWriteToIsRefused(_ mode: mode_t) throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        try directory.checkPermissions()
        chmod(directory.path, mode)
        let error = self.failure { try directory.checkPermissions() }
        #expect(error?.code == "directory_too_open")
        #expect(error?.message.hasSuffix("Say: chmod 700 \(directory.path)") == true)
        chmod(directory.path, 0o711)
        try directory.checkPermissions()
    }

    @Test func directoryWithinThatOthersWriteToIsRefused() throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try FileSystem.makePrivateDirectory(directory.tlsPath)
        chmod(directory.tlsPath, 0o755)
        try directory.checkPermissions()
        chmod(directory.tlsPath, 0o775)
        let error = self.failure { try directory.checkPermissions() }
        #expect(error?.code == "directory_too_open")
        #expect(error?.message.hasSuffix("Say: chmod go-w \(directory.tlsPath)") == true)
    }

    /// By a name of the configuration's, by what the directory remembers, or by a link.
    @Test(arguments: ["given", "remembered", "link"])
    func storeThatLiesElsewhereIsCheckedWhereItIs(_ way: String) throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try directory.create()
        let elsewhere = folder.file("elsewhere")
        try FileSystem.makePrivateDirectory(elsewhere)
        let file = elsewhere + "/x.sqlite"
        try FileSystem.writePrivate("x", to: file)
        let location = StoreLocation.sqlite(path: file)
        if way == "remembered" { try directory.remember(location) }
        if way == "link" {
            try FileManager.default.createSymbolicLink(atPath: directory.storePath, withDestinationPath: file)
        }
        let check = { try directory.checkPermissions(store: way == "given" ? location : nil) }
        try check()
        chmod(elsewhere, 0o755)
        try check()
        for path in [file, file + "-wal"] {
            try FileSystem.writePrivate("x", to: path)
            chmod(path, 0o640)
            let error = self.failure { try check() }
            // The directory's own name for it is looked at first.
            let isOwn = way == "link" && path == file
            #expect(error?.code == "file_too_open")
            #expect(error?.message.contains(isOwn ? directory.storePath : path) == true)
            chmod(path, 0o600)
        }
        chmod(elsewhere, 0o777)
        let error = self.failure { try check() }
        #expect(error?.code == "directory_too_open" && error?.message.contains("elsewhere") == true)
        // A database has no file here.
        try directory.checkPermissions(store: .postgreSQL(Redacted("postgresql://h/d")))
    }

    @Test(arguments: [
        "master.key", "master.key.new", "master.key.old", "store.location", "acquirer.secret", "pomona.sqlite",
        "acquirer.sqlite",
        "tls/ca-key.pem", "tls/server-key.pem",
    ])
    func everySecretOfTheDirectoryIsChecked(_ name: String) throws {
        let folder = try CliFolder()
        let directory = DataDirectory(path: folder.file("data"))
        try FileSystem.makePrivateDirectory(directory.tlsPath)
        let path = "\(directory.path)/\(name)"
        try FileSystem.writePrivate("x", to: path)
        try directory.checkPermissions()
        chmod(path, 0o640)
        let error = self.failure { try directory.checkPermissions() }
        #expect(error?.code == "file_too_open")
        #expect(error?.message.contains(path) == true)
    }

    @Test func commandsAndServersRefuse() async throws {
        let sandbox = try await CliSandbox.copy()
        chmod("\(sandbox.data)/master.key", 0o644)
        for arguments in [["keys", "list"], ["audit", "verify"], ["payments", "list"], ["sandbox", "--port", "0"]] {
            let result = try await CliTool.pomona(arguments + ["--data", sandbox.data, "--json"])
            #expect(result.exitCode == 1)
            #expect(result.errorCode == "file_too_open", "\(arguments): \(result.stdout)\(result.stderr)")
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/limits")))
    func serverLeavesNoCoreFile() async throws {
        let sandbox = try await CliSandbox.copy()
        let server = try await SandboxProcess(data: sandbox.data)
        let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
        let found = processes.first { process in
            FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
                .map { String(decoding: $0, as: UTF8.self).contains(sandbox.data) } ?? false
        }
        let limits = try String(contentsOfFile: "/proc/\(try #require(found))/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").dropFirst(4).prefix(2).elementsEqual(["0", "0"]) == true)
        #expect(await server.stop() == 0)
    }
}
