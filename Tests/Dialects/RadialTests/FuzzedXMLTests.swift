//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

@testable import Radial

/// The inputs of the fuzz target XML (Vectors/Fuzz), read as the target reads them. What once made it fail is among
/// them.
struct FuzzedXMLTests {
    @Test func readsOrRefusesEach() throws {
        let accepted = try Self.inputs().filter { (try? XMLReader.read($0.bytes)) != nil }.map(\.name)
        #expect(accepted == ["authorization", "sections-and-references"])
    }

    private static func inputs() throws -> [(name: String, bytes: [UInt8])] {
        let folder = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../../Vectors/Fuzz/XML").standardized
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "b64" }.sorted { $0.path < $1.path }
            .map { file in
                let text = try String(contentsOf: file, encoding: .utf8)
                let bytes = try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters))
                return (file.deletingPathExtension().lastPathComponent, Array(bytes))
            }
    }
}
