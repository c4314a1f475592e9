//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import TestProcesses

/// The openssl command line tool, as a second opinion on keys, requests and certificates.
enum OpenSSL {
    struct Failure: Error {
        let arguments: [String]
        let output: String
    }

    private static let path: String? = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static var isAvailable: Bool { self.path != nil }

    /// Runs the tool in a folder and gives the standard output. It waits on a thread of its own: the pool that all tests
    /// share has few.
    static func run(_ arguments: [String], in folder: URL, input: [UInt8] = []) async throws -> [UInt8] {
        guard let path = self.path else { throw Failure(arguments: arguments, output: "openssl is not installed") }
        let outcome = try await Command([path] + arguments, in: folder.path).run(input: input)
        guard outcome.status == 0 else { throw Failure(arguments: arguments, output: outcome.errorsText) }
        return outcome.output
    }

    static func text(_ arguments: [String], in folder: URL) async throws -> String {
        String(decoding: try await self.run(arguments, in: folder), as: UTF8.self)
    }
}

/// A folder that is removed at the end.
func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ApplePayTokenTests-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
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
