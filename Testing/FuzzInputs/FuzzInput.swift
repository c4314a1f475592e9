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

    /// The inputs of a target, by name.
    ///
    /// - Throws: what reading the files throws; a `CocoaError` for a file that is no base64.
    public static func all(of target: String) throws -> [FuzzInput] {
        let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Vectors/Fuzz/\(target)")
            .standardized
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
}
