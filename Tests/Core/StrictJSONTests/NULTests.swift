//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import Testing

@Suite struct NULTests {
    private static let refusing = JSONLimits(allowsNUL: false)

    @Test(arguments: [#"["\u0000"]"#, #"{"a":"b\u0000c"}"#, #"{"\u0000":1}"#, #""a very long text before it \u0000""#])
    func refusesNULWhereItIsNotAllowed(text: String) throws {
        let error = #expect(throws: JSONError.self) { try JSON.parse(text, limits: Self.refusing) }
        #expect(error?.code == .nulCharacter)
        #expect(error?.description.contains("U+0000") == true)
        _ = try JSON.parse(text)
    }

    @Test(arguments: [#"["\u0001"]"#, #"["\\u0000"]"#, #"["u0000"]"#, #"["\u00010"]"#])
    func takesWhatIsNoNUL(text: String) throws {
        _ = try JSON.parse(text, limits: Self.refusing)
    }
}
