//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import FuzzInputs
import Testing

/// The inputs of the fuzz target Form (Vectors/Fuzz), read as the target reads them. What once made it fail is among
/// them.
struct FuzzedFormTests {
    private static let contentTypes = [
        "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", nil, "multipart/form-data",
    ]

    /// The first byte chooses the content type.
    private static func form(of input: FuzzInput) -> FormFields? {
        guard let selector = input.bytes.first else { return nil }
        return try? FormFields(
            body: Array(input.bytes.dropFirst()),
            contentType: self.contentTypes[Int(selector) % self.contentTypes.count])
    }

    @Test func readsOrRefusesEach() throws {
        var fieldsCounts: [String: Int] = [:]
        for input in try FuzzInput.all(of: "Form") {
            fieldsCounts[input.name] = Self.form(of: input)?.names.count ?? -1
        }
        #expect(fieldsCounts["url-encoded"] == 3)
        #expect(fieldsCounts["multipart"] == 2)
        #expect(fieldsCounts["cut-percent"] == -1)
    }

    @Test func readsOrRefusesTheCorpus() throws {
        for input in try FuzzInput.corpus(of: "Form") {
            let form = Self.form(of: input)
            for name in form?.names ?? [] { #expect(form?[name] != nil, "\(input.name)") }
        }
    }
}
