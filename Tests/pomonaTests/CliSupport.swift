//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import TestProcesses
import Testing

/// What a run of a program gave.
struct CliResult: Sendable {
    let exitCode: Int32
    let stdout: String
    let stderr: String

    /// Standard output as JSON, all of it.
    func json(sourceLocation: SourceLocation = #_sourceLocation) throws -> JSON {
        try #require(
            try? JSON.parse(self.stdout), "standard output is not JSON: \(self.stdout)", sourceLocation: sourceLocation)
    }

    /// `error.code` of what was written under --json.
    var errorCode: String? { (try? JSON.parse(self.stdout))?["error"]?["code"]?.string }
    var errorStage: String? { (try? JSON.parse(self.stdout))?["error"]?["stage"]?.string }
}

/// Runs programs as real processes.
enum CliTool {
    /// The built program lies beside the tests.
    static let pomona: URL = {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var directory = tests.deletingLastPathComponent()
        while directory.path != "/" {
            let candidate = directory.appendingPathComponent("pomona")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            directory.deleteLastPathComponent()
        }
        return URL(fileURLWithPath: ".build/debug/pomona")
    }()

    @discardableResult
    static func pomona(_ arguments: [String], stdin: String? = nil) async throws -> CliResult {
        try await self.run(self.pomona, arguments, stdin: stdin)
    }

    static func openssl(_ arguments: [String], stdin: String? = nil) async throws -> CliResult {
        try await self.run(URL(fileURLWithPath: "/usr/bin/openssl"), arguments, stdin: stdin)
    }

    static func bash(_ script: String) async throws -> CliResult {
        try await self.run(URL(fileURLWithPath: "/bin/bash"), ["-c", script], stdin: nil)
    }

    private static func run(_ program: URL, _ arguments: [String], stdin: String?) async throws -> CliResult {
        let outcome = try await Command([program.path] + arguments, in: FileManager.default.currentDirectoryPath)
            .run(input: Array((stdin ?? "").utf8))
        return CliResult(exitCode: outcome.status, stdout: outcome.outputText, stderr: outcome.errorsText)
    }
}

/// A directory that is removed with the value.
final class CliFolder: Sendable {
    let path: String

    init() throws {
        self.path = NSTemporaryDirectory() + "pomona-cli-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: self.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: self.path)
    }

    func file(_ name: String) -> String { "\(self.path)/\(name)" }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: self.file(name)))
        return self.file(name)
    }

    func write(_ name: String, bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: self.file(name)))
        return self.file(name)
    }
}

/// Files under Vectors.
enum CliVectors {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Vectors")

    static func path(_ name: String) -> String { self.root.appendingPathComponent(name).path }
}
