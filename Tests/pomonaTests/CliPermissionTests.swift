//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

@testable import pomona

/// What is closed to the user who runs a command is said to be, by its path. The commands run as another user than the
/// tests where those are root, whom no mode keeps out.
@Suite struct CliPermissionTests {
    /// nobody, on Debian.
    private static let otherUser = 65_534
    private static var isRoot: Bool { geteuid() == 0 }

    private static func run(_ arguments: [String]) async throws -> CliResult {
        let words = ([CliTool.pomona.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let user = "setpriv --reuid=\(Self.otherUser) --regid=\(Self.otherUser) --clear-groups "
        return try await CliTool.bash((Self.isRoot ? user : "") + words)
    }

    /// A folder that the other user may enter, with what a test puts into it.
    private static func folder() throws -> CliFolder {
        let folder = try CliFolder()
        try Self.setMode(0o755, folder.path)
        return folder
    }

    private static func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private static func expectDenied(_ result: CliResult, _ act: String, _ path: String) {
        #expect(result.exitCode == 1)
        #expect(result.errorCode == "permission_denied", "\(result.stdout)\(result.stderr)")
        #expect(result.stdout.contains("Permission denied: the user "))
        #expect(result.stdout.contains("may not \(act) \(path)"), "\(result.stdout)")
    }

    private static func closedDirectory(_ folder: CliFolder) throws -> String {
        let data = folder.file("data")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        try Self.setMode(Self.isRoot ? 0o700 : 0o000, data)
        return data
    }

    @Test(arguments: [
        ["payments", "list"], ["ledger", "check"], ["certificate", "list"],
        ["sandbox", "--port", "0", "--tls-port", "0"],
    ])
    func closedDataDirectory(_ command: [String]) async throws {
        let folder = try Self.folder()
        let data = try Self.closedDirectory(folder)
        let result = try await Self.run(command + ["--data", data, "--json"])
        Self.expectDenied(result, "enter the directory", data)
        try Self.setMode(0o700, data)
    }

    @Test func dataDirectoryBelowAClosedOne() async throws {
        let folder = try Self.folder()
        let parent = try Self.closedDirectory(folder)
        let result = try await Self.run(["payments", "list", "--data", parent + "/inner", "--json"])
        Self.expectDenied(result, "enter the directory", parent)
        try Self.setMode(0o700, parent)
    }

    @Test func dataDirectoryThatCannotBeMade() async throws {
        let folder = try Self.folder()
        try Self.setMode(0o555, folder.path)
        let result = try await Self.run([
            "sandbox", "--port", "0", "--tls-port", "0", "--data", folder.file("data"), "--json",
        ])
        Self.expectDenied(result, "write to the directory", folder.path)
        try Self.setMode(0o755, folder.path)
    }

    @Test func dataDirectoryThatCannotBeWritten() async throws {
        let folder = try Self.folder()
        let data = folder.file("data")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        if Self.isRoot {
            try FileManager.default.setAttributes([.ownerAccountID: Self.otherUser], ofItemAtPath: data)
        }
        try Self.setMode(0o500, data)
        let result = try await Self.run(["sandbox", "--port", "0", "--tls-port", "0", "--data", data, "--json"])
        Self.expectDenied(result, "write to the directory", data)
        try Self.setMode(0o700, data)
    }

    @Test func inputFileThatCannotBeRead() async throws {
        let folder = try Self.folder()
        let file = try folder.write("token.json", "{}")
        try Self.setMode(Self.isRoot ? 0o600 : 0o000, file)
        let result = try await Self.run(["token", "inspect", "--token", file, "--json"])
        Self.expectDenied(result, "read the file", file)
    }

    @Test func whatIsMissingIsNotSaidToBeDenied() async throws {
        let folder = try Self.folder()
        let result = try await Self.run(["payments", "list", "--data", folder.file("none"), "--json"])
        #expect(result.errorCode == "file_missing")
        let file = try await Self.run(["token", "inspect", "--token", folder.file("none"), "--json"])
        #expect(file.errorCode == "file_unreadable")
    }
}
