//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// An input of a fuzz target, kept in Vectors/Fuzz: a seed, or what once made the target fail.
public struct FuzzInput: Sendable {
    /// What the input is, as its file is called: "cut-percent".
    public let name: String
    public let bytes: [UInt8]

    private static func folder(of target: String) -> URL {
        URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Vectors/Fuzz/\(target)").standardized
    }

    /// The inputs of a target that have a name, in its order.
    ///
    /// - Throws: what reading the files throws; a `CocoaError` for a file that is no base64.
    public static func all(of target: String) throws -> [FuzzInput] {
        let folder = self.folder(of: target)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "b64" }
            .sorted { $0.path < $1.path }
            .map { file in
                let text = try String(contentsOf: file, encoding: .utf8)
                guard let bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
                    throw CocoaError(.fileReadCorruptFile)
                }
                return FuzzInput(name: file.deletingPathExtension().lastPathComponent, bytes: Array(bytes))
            }
    }

    /// The smallest set that reaches all that the long runs have reached (`script/fuzz TARGET --keep`), one a line.
    ///
    /// - Throws: what reading the file throws; a `CocoaError` for a line that is no base64.
    public static func corpus(of target: String) throws -> [FuzzInput] {
        let file = self.folder(of: target).appendingPathComponent("corpus.txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").enumerated().map { index, line in
            guard let bytes = Data(base64Encoded: String(line)) else { throw CocoaError(.fileReadCorruptFile) }
            return FuzzInput(name: "corpus.txt:\(index + 1)", bytes: Array(bytes))
        }
    }
}
