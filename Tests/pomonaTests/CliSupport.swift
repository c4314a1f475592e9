//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
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

    /// Output goes through files, so that no pipe can fill up.
    private static func run(_ program: URL, _ arguments: [String], stdin: String?) async throws -> CliResult {
        let folder = try CliFolder()
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let input = try folder.write("stdin", stdin ?? "")
        let output = try folder.write("stdout", "")
        let errors = try folder.write("stderr", "")
        process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: input))
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        let hasExited = process.terminationReason == .exit
        return CliResult(
            exitCode: hasExited ? process.terminationStatus : -process.terminationStatus,
            stdout: try String(contentsOfFile: output, encoding: .utf8),
            stderr: try String(contentsOfFile: errors, encoding: .utf8))
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
