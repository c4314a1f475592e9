//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FuzzInputs
import StrictJSON
import Testing

@testable import CommWeb

/// The inputs of the fuzz target NVP (Vectors/Fuzz), read as the target reads them: the first byte chooses the content
/// type. What once made it fail is among them.
struct FuzzedNVPTests {
    private static let contentTypes = [
        "application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=iso-8859-1", nil, "text/plain",
    ]

    private static func fields(of input: FuzzInput) -> RequestFields? {
        guard let selector = input.bytes.first else { return nil }
        return try? NVPCodec.fields(
            of: Array(input.bytes.dropFirst()), contentType: self.contentTypes[Int(selector) % self.contentTypes.count])
    }

    @Test func readsOrRefusesEach() throws {
        let inputs = try FuzzInput.all(of: "NVP")
        #expect(inputs.filter { Self.fields(of: $0) != nil }.map(\.name) == ["authorize", "latin-1"])
        let latin1 = try #require(inputs.first { $0.name == "latin-1" })
        #expect(Self.fields(of: latin1)?["customer.firstName"] == .string("Jörg"))
    }

    @Test func whatIsReadOfTheCorpusIsWrittenAndReadAgainAlike() throws {
        for input in try FuzzInput.all(of: "NVP") + FuzzInput.corpus(of: "NVP") {
            // A name of 256 letters of ISO-8859-1 takes up to 512 bytes of UTF-8, which is too long a name.
            guard let fields = Self.fields(of: input), fields.paths.allSatisfy({ $0.utf8.count <= 256 }) else {
                continue
            }
            var answer = AnswerFields()
            for path in fields.paths { answer[path] = fields[path] }
            let again = try NVPCodec.fields(of: NVPCodec.body(of: answer), contentType: NVPCodec.mediaType)
            #expect(again.paths == fields.paths, "\(input.name)")
            #expect(fields.paths.allSatisfy { again[$0] == fields[$0] }, "\(input.name)")
        }
    }
}
