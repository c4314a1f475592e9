//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Foundation
import Testing

/// The inputs of the fuzz target Form (Vectors/Fuzz), read as the target reads them. What once made it fail is among
/// them.
struct FuzzedFormTests {
    /// The first byte chooses the content type.
    @Test func readsOrRefusesEach() throws {
        let contentTypes = [
            "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", nil, "multipart/form-data",
        ]
        var fieldsCounts: [String: Int] = [:]
        for input in try Self.inputs() {
            let selector = try #require(input.bytes.first)
            let form = try? FormFields(
                body: Array(input.bytes.dropFirst()), contentType: contentTypes[Int(selector) % contentTypes.count])
            fieldsCounts[input.name] = form?.names.count ?? -1
        }
        #expect(fieldsCounts["url-encoded"] == 3)
        #expect(fieldsCounts["multipart"] == 2)
        #expect(fieldsCounts["cut-percent"] == -1)
    }

    private static func inputs() throws -> [(name: String, bytes: [UInt8])] {
        let folder = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../Vectors/Fuzz/Form").standardized
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "b64" }.sorted { $0.path < $1.path }
            .map { file in
                let text = try String(contentsOf: file, encoding: .utf8)
                let bytes = try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters))
                return (file.deletingPathExtension().lastPathComponent, Array(bytes))
            }
    }
}
