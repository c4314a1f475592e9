//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import FuzzInputs
import HTTPTypes
import Testing

@testable import PAYONE

/// The inputs of the fuzz target Multipart (Vectors/Fuzz), read as the target reads them. What once made it fail is among
/// them.
struct FuzzedMultipartTests {
    private static func form(of input: FuzzInput) -> ReceivedForm? {
        try? ReceivedForm(
            WireRequest(
                method: .post, path: "/post-gateway/", headers: [.contentType: "multipart/form-data; boundary=b"],
                body: input.bytes))
    }

    @Test func readsOrRefusesEach() throws {
        let inputs = try FuzzInput.all(of: "Multipart")
        #expect(inputs.filter { Self.form(of: $0) != nil }.map(\.name) == ["capture", "charset"])
        let charset = try #require(inputs.first { $0.name == "charset" })
        #expect(Self.form(of: charset)?.readableText("mid") == "é")
    }

    @Test func readsOrRefusesTheCorpus() throws {
        for input in try FuzzInput.corpus(of: "Multipart") {
            let text = Self.form(of: input)?.readableText("request")
            #expect(text?.isEmpty != true, "\(input.name)")
        }
    }
}
