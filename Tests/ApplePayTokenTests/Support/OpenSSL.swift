//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// The openssl command line tool, as a second opinion on keys, requests and certificates.
enum OpenSSL {
    struct Failure: Error {
        let arguments: [String]
        let output: String
    }

    private static let path: String? = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isAvailable: Bool { self.path != nil }

    /// Runs the tool in a folder of its own and gives the standard output. `body` sees the folder before, e.g. to write
    /// files.
    static func run(_ arguments: [String], in folder: URL, input: [UInt8] = []) throws -> [UInt8] {
        guard let path = self.path else { throw Failure(arguments: arguments, output: "openssl is not installed") }
        let inputFile = folder.appendingPathComponent("standard-input")
        try Data(input).write(to: inputFile)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        let errorFile = folder.appendingPathComponent("standard-error")
        try Data().write(to: errorFile)
        process.standardInput = try FileHandle(forReadingFrom: inputFile)
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let text = try String(contentsOf: errorFile, encoding: .utf8)
            throw Failure(arguments: arguments, output: text)
        }
        return Array(bytes)
    }

    static func text(_ arguments: [String], in folder: URL) throws -> String {
        String(decoding: try self.run(arguments, in: folder), as: UTF8.self)
    }
}

/// A folder that is removed at the end.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ApplePayTokenTests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

extension URL {
    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: self.appendingPathComponent(name))
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: self.appendingPathComponent(name))
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: self.appendingPathComponent(name)))
    }
}
