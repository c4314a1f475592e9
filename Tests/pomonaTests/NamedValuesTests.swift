//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Redaction
import Testing

@testable import pomona

/// NAME=VALUE, as commands are given settings and secrets.
struct NamedValuesTests {
    /// CR LF is one Character in Swift, and not the one of LF.
    @Test(arguments: ["", "\n", "\r\n"])
    func theLineBreakAtTheEndOfAFileIsTheEditors(end: String) throws {
        let folder = try CliFolder()
        let file = try folder.write("secret", "two words" + end)
        #expect(try NamedValues.secrets(["password=@\(file)"]) == ["password": Redacted("two words")])
        #expect(try NamedValues.settings(["host=@\(file)"]) == ["host": "two words"])
    }

    @Test func aKeyStaysAsItIsInItsFile() throws {
        let key = "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n"
        let folder = try CliFolder()
        let file = try folder.write("key", key)
        #expect(try NamedValues.secrets(["key=@\(file)"]) == ["key": Redacted(key)])
    }
}
