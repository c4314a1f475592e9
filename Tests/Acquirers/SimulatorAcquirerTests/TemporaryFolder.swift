//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// A folder that a test has for itself.
struct TemporaryFolder {
    private let url: URL

    init() throws {
        self.url = FileManager.default.temporaryDirectory.appendingPathComponent("pomona-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.url, withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { self.url.appendingPathComponent(name).path }

    func remove() { try? FileManager.default.removeItem(at: self.url) }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: self.url.appendingPathComponent(name))
    }

    /// Every byte of every file in it.
    func contents() throws -> [UInt8] {
        try FileManager.default.contentsOfDirectory(at: self.url, includingPropertiesForKeys: nil)
            .reduce(into: []) { $0 += try Data(contentsOf: $1) }
    }

    /// A copy of its files as they are at this moment: what a process that is killed leaves behind.
    func snapshot() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for file in try FileManager.default.contentsOfDirectory(at: self.url, includingPropertiesForKeys: nil) {
            try FileManager.default.copyItem(at: file, to: copy.url.appendingPathComponent(file.lastPathComponent))
        }
        return copy
    }
}
