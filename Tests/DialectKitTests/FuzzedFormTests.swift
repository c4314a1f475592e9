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
    /// The first byte chooses the content type.
    @Test func readsOrRefusesEach() throws {
        let contentTypes = [
            "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", nil, "multipart/form-data",
        ]
        var fieldsCounts: [String: Int] = [:]
        for input in try FuzzInput.all(of: "Form") {
            let selector = try #require(input.bytes.first)
            let form = try? FormFields(
                body: Array(input.bytes.dropFirst()), contentType: contentTypes[Int(selector) % contentTypes.count])
            fieldsCounts[input.name] = form?.names.count ?? -1
        }
        #expect(fieldsCounts["url-encoded"] == 3)
        #expect(fieldsCounts["multipart"] == 2)
        #expect(fieldsCounts["cut-percent"] == -1)
    }

    @Test func readsOrRefusesTheCorpus() throws {
        for input in try FuzzInput.corpus(of: "Form") where !input.bytes.isEmpty {
            let form = try? FormFields(
                body: Array(input.bytes.dropFirst()), contentType: "application/x-www-form-urlencoded")
            for name in form?.names ?? [] { #expect(form?[name] != nil, "\(input.name)") }
        }
    }
}
