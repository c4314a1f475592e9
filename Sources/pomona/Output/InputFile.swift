//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// A file that a command reads, or standard input for "-". Always bounded.
enum InputFile {
    /// A token with its payment object is 3–6 KB.
    static let tokenBytesMax = 64 << 10
    static let pemBytesMax = 1 << 20

    /// - Throws: ``CommandFailure`` `file_unreadable`, `file_too_large`.
    static func bytes(of path: String, what: String, bytesMax: Int) throws(CommandFailure) -> [UInt8] {
        let handle = try self.open(path, what: what)
        var bytes: [UInt8] = []
        do {
            while bytes.count <= bytesMax, let chunk = try handle.read(upToCount: bytesMax + 1 - bytes.count),
                !chunk.isEmpty
            {
                bytes.append(contentsOf: chunk)
            }
        } catch {
            throw self.unreadable(path, what)
        }
        guard bytes.count <= bytesMax else {
            throw CommandFailure(
                .fileTooLarge, stage: .input,
                "The \(what) \(self.name(path)) has more than \(bytesMax) bytes; this is not one.")
        }
        return bytes
    }

    /// - Throws: ``CommandFailure``, also `file_not_text`.
    static func text(of path: String, what: String, bytesMax: Int = pemBytesMax) throws(CommandFailure) -> String {
        let bytes = try self.bytes(of: path, what: what, bytesMax: bytesMax)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.fileNotText, stage: .input, "The \(what) \(self.name(path)) is not text (UTF-8).")
        }
        return text
    }

    private static func open(_ path: String, what: String) throws(CommandFailure) -> FileHandle {
        if path == "-" { return .standardInput }
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue,
            let handle = FileHandle(forReadingAtPath: path)
        else { throw self.unreadable(path, what) }
        return handle
    }

    private static func unreadable(_ path: String, _ what: String) -> CommandFailure {
        if let denial = FilePermissions.denial(of: FileSystem.absolutePath(path)) {
            return CommandFailure(of: denial.code, stage: .input, denial.message)
        }
        return CommandFailure(
            .fileUnreadable, stage: .input,
            "The \(what) \(self.name(path)) cannot be read. Check that the file is there and that you may read it.")
    }

    private static func name(_ path: String) -> String {
        path == "-" ? "on standard input" : path
    }
}
