//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Testing

@testable import ApplePayToken

/// The inputs of the fuzz target TokenJSON (Vectors/Fuzz), read as the target reads them. What once made it fail is among
/// them.
struct FuzzedTokenJSONTests {
    @Test func readsOrRefusesEach() throws {
        var accepted: [String] = []
        for input in try Self.inputs() {
            guard let token = try? UnverifiedToken(parsing: input.bytes) else { continue }
            accepted.append(input.name)
            #expect(try UnverifiedToken(json: token.paymentDataJSON).paymentDataJSON == token.paymentDataJSON)
        }
        #expect(accepted == ["pk-payment-token", "seed-token"])
    }

    private static func inputs() throws -> [(name: String, bytes: [UInt8])] {
        let folder = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../Vectors/Fuzz/TokenJSON").standardized
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "b64" }.sorted { $0.path < $1.path }
            .map { file in
                let text = try String(contentsOf: file, encoding: .utf8)
                let bytes = try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters))
                return (file.deletingPathExtension().lastPathComponent, Array(bytes))
            }
    }
}
