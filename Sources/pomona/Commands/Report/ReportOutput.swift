//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Foundation

/// Where the lines of a report go: standard output, or a file that is put in its place when it is whole. Nothing is kept
/// of what has been written.
struct ReportOutput: Sendable {
    private let console: Console
    private let file: (path: String, temporary: String, handle: FileHandle)?

    /// - Parameter path: of the file; `nil` for standard output.
    /// - Throws: ``CommandFailure`` `file_not_writable`.
    init(_ console: Console, path: String?) throws(CommandFailure) {
        self.console = console
        guard let path else {
            self.file = nil
            return
        }
        let temporary = "\(path).\(getpid()).new"
        guard FileManager.default.createFile(atPath: temporary, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: temporary)
        else { throw Self.failure(path) }
        self.file = (path, temporary, handle)
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure(.fileNotWritable, stage: .input, "The file \(path) cannot be written.")
    }

    /// Writes lines that have their ends.
    func write(_ text: String) throws(CommandFailure) {
        guard let file = self.file else { return self.console.text(text) }
        do {
            try file.handle.write(contentsOf: Data(text.utf8))
        } catch {
            throw Self.failure(file.path)
        }
    }

    /// Puts the file in its place.
    func finish() throws(CommandFailure) {
        guard let file = self.file else { return }
        do {
            try file.handle.synchronize()
            try file.handle.close()
        } catch {
            throw Self.failure(file.path)
        }
        try FileSystem.replace(file.path, with: file.temporary)
    }

    /// Removes what was written of the file.
    func abandon() {
        guard let file = self.file else { return }
        try? file.handle.close()
        unlink(file.temporary)
    }

    /// Writes a report: what the body writes is there when it has ended, and nothing of it when it throws.
    static func write(
        _ console: Console, to path: String?, _ body: (ReportOutput) async throws -> Void
    ) async throws {
        let output = try ReportOutput(console, path: path)
        do {
            try await body(output)
        } catch {
            output.abandon()
            throw error
        }
        try output.finish()
    }
}
