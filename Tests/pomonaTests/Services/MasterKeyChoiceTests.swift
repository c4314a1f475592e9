//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Foundation
import Redaction
import Testing

@testable import pomona

/// Where the master key comes from.
@Suite struct MasterKeyChoiceTests {
    private static let hex = String(repeating: "0123456789abcdef", count: 4)
    private static let key = Hex.decode(hex)

    private func failure(_ work: () async throws -> Void) async -> CommandFailure? {
        do {
            try await work()
            Issue.record("is not refused")
            return nil
        } catch {
            return error as? CommandFailure
        }
    }

    @Test func fileOfTheDataDirectoryIsTheStandard() throws {
        let directory = DataDirectory(path: "/data")
        let standard = try MasterKeyChoice(directory, filePath: nil, command: nil, variable: nil)
        #expect(standard == .file(path: "/data/master.key"))
        let named = try MasterKeyChoice(directory, filePath: "/keys/k", command: nil, variable: nil)
        #expect(named == .file(path: "/keys/k"))
        #expect(try MasterKeyChoice(directory, filePath: nil, command: "pass", variable: nil) == .command("pass"))
    }

    @Test(arguments: [
        (true, true, false, "data.masterKeyFile and data.masterKeyCommand"),
        (true, false, true, "data.masterKeyFile and POMONA_MASTER_KEY"),
        (false, true, true, "data.masterKeyCommand and POMONA_MASTER_KEY"),
        (true, true, true, "data.masterKeyFile and data.masterKeyCommand and POMONA_MASTER_KEY"),
    ])
    func moreThanOneIsRefused(_ file: Bool, _ command: Bool, _ variable: Bool, _ names: String) async {
        let failure = await self.failure {
            _ = try MasterKeyChoice(
                DataDirectory(path: "/data"), filePath: file ? "/k" : nil, command: command ? "c" : nil,
                variable: variable ? MasterKeyVariable(text: Self.hex) : nil)
        }
        #expect(failure?.code == "master_key_ambiguous")
        #expect(failure?.message.contains("more than once: \(names). ") == true, "\(failure?.message ?? "")")
    }

    @Test func keyIsReadFromTheEnvironment() async throws {
        let choice = MasterKeyChoice.environment(MasterKeyVariable(text: "\(Self.hex)\n").key)
        #expect(try await choice.read().map { $0.reveal() } == [Self.key])
        for text in ["", "secret", String(Self.hex.dropLast(2)), Self.hex + "00"] {
            let failure = await self.failure {
                _ = try await MasterKeyChoice.environment(MasterKeyVariable(text: text).key).read()
            }
            #expect(failure?.code == "master_key_malformed")
            #expect(failure?.message.contains("secret") == false)
        }
    }

    @Test func keyIsReadFromACommand() async throws {
        // As it stands: pipes, quotes and variables are the shell's.
        let command = "a=\(Self.hex.prefix(32)); echo \"${a}\(Self.hex.suffix(32))\" | cat"
        #expect(try await MasterKeyChoice.command(command).read().map { $0.reveal() } == [Self.key])
    }

    @Test(arguments: [
        ("echo hush >&2; exit 3", "exit code 3"), ("kill -9 $$", "signal 9"), ("/nonexistent/hush", "exit code 127"),
        ("yes hush", "more than 4096 bytes"),
    ])
    func commandThatFailsIsReported(_ command: String, _ why: String) async {
        let failure = await self.failure { _ = try await MasterKeyChoice.command(command).read() }
        #expect(failure?.code == "master_key_command_failed")
        #expect(failure?.message.contains(why) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("hush") == false)
    }

    @Test(arguments: ["echo hush", "true", "head -c 32 /dev/zero"])
    func commandThatPrintsNoKeyIsReported(_ command: String) async {
        let failure = await self.failure { _ = try await MasterKeyChoice.command(command).read() }
        #expect(failure?.code == "master_key_malformed")
        #expect(failure?.message.contains("hush") == false)
    }

    /// Also one whose output is held open by what it has started.
    @Test(arguments: ["sleep 60", "sleep 60 & echo x", "exec >&-; sleep 60"])
    func commandThatHangsIsEnded(_ command: String) async {
        let failure = await self.failure { _ = try await MasterKeyCommand(command, timeoutMilliseconds: 200).run() }
        #expect(failure?.code == "master_key_command_failed")
        #expect(failure?.message.contains("has not ended") == true, "\(failure?.message ?? "")")
    }

    @Test func keyThatIsBeingChangedIsTriedToo() async throws {
        let folder = try CliFolder()
        let path = folder.file("master.key")
        try FileSystem.writePrivate(Self.hex, to: path)
        #expect(try await MasterKeyChoice.file(path: path).read().count == 1)
        let files = MasterKeyFiles(path: path)
        let newKey = [UInt8](repeating: 1, count: 32)
        try files.writeNew(Redacted(newKey))
        #expect(try await MasterKeyChoice.file(path: path).read().map { $0.reveal() } == [Self.key, newKey])
        try files.keepOld()
        try files.swap()
        #expect(try await MasterKeyChoice.file(path: path).read().map { $0.reveal() } == [newKey])
        #expect(try DataDirectory.masterKey(at: files.oldPath).reveal() == Self.key)
        #expect(!FileSystem.exists(files.newPath))
    }

    /// A new file would be this user's alone, and in the place of a link.
    @Test func fileThatOthersReadOrThatIsALinkIsNotReplaced() async throws {
        let folder = try CliFolder()
        let (path, link) = (folder.file("master.key"), folder.file("link.key"))
        try FileSystem.writePrivate(Self.hex, to: path)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try MasterKeyFiles(path: path).checkReplaceable()
        let ofLink = await self.failure { try MasterKeyFiles(path: link).checkReplaceable() }
        #expect(ofLink?.code == "new_key_file_missing" && ofLink?.message.contains("is a link") == true)
        chmod(path, 0o640)
        let ofGroup = await self.failure { try MasterKeyFiles(path: path).checkReplaceable() }
        #expect(ofGroup?.code == "new_key_file_missing" && ofGroup?.message.contains("--new-key-file") == true)
    }

    /// Of a process that was killed while it wrote, and of nobody else.
    @Test func copiesOfKeysThatAProcessHasLeftBehindAreDeleted() async throws {
        let folder = try CliFolder()
        let files = MasterKeyFiles(path: folder.file("master.key"))
        // No process has a number beyond PID_MAX_LIMIT (proc(5)).
        let gone = "2000000001"
        let left = ["master.key.\(gone).new", "master.key.new.\(gone).new", "master.key.old.\(gone).new"]
        // Process 1 lives as long as the machine does.
        let kept = [
            "master.key", "master.key.1.new", "master.key.new", "master.key.new.1.new", "master.key.old",
            "master.key.\(gone)", "master.key.\(gone).old", "master.key.x\(gone).new", "master.key.backup.\(gone).new",
            "master.key.-\(gone).new", "master.keys.\(gone).new", "store.\(gone).new",
        ]
        for name in left + kept { try FileSystem.writePrivate(Self.hex, to: folder.file(name)) }
        try FileManager.default.createDirectory(
            atPath: folder.file("master.key.0\(gone).new"), withIntermediateDirectories: false)
        // Whoever changes the key has files of his own there.
        let lock = try files.lock()
        files.removeLeftoversAtStart()
        #expect(left.allSatisfy { FileSystem.exists(folder.file($0)) })
        lock.release()
        files.removeLeftoversAtStart()
        #expect(left.allSatisfy { !FileSystem.exists(folder.file($0)) })
        #expect((kept + ["master.key.0\(gone).new"]).allSatisfy { FileSystem.exists(folder.file($0)) })
    }

    @Test func noLockIsMadeWhereNothingIsLeftBehind() throws {
        let folder = try CliFolder()
        let files = MasterKeyFiles(path: folder.file("master.key"))
        try FileSystem.writePrivate(Self.hex, to: files.path)
        files.removeLeftoversAtStart()
        #expect(FileSystem.names(in: folder.path) == ["master.key"])
    }

    @Test func oneAtATimeChangesAKey() async throws {
        let folder = try CliFolder()
        let files = MasterKeyFiles(path: folder.file("master.key"))
        let lock = try files.lock()
        #expect(await self.failure { _ = try files.lock() }?.code == "master_key_busy")
        lock.release()
        try files.lock().release()
    }
}
