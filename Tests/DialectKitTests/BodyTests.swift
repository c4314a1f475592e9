//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import StrictJSON
import Testing

@Suite struct BodyTests {
    private static let limits = JSONLimits.ofRequest(bytesMax: 64, depthMax: 2, valuesMax: 8)

    @Test func readsAnObject() throws {
        #expect(try JSONObject(body: Array(#"{"a":1}"#.utf8), limits: Self.limits)["a"] == 1)
    }

    @Test(arguments: [
        ("[]", "The body must be a JSON object, and is an array."),
        ("7", "The body must be a JSON object, and is a number."),
    ])
    func refusesWhatIsNoObject(_ text: String, _ message: String) {
        #expect(throws: BodyError.self) { try JSONObject(body: Array(text.utf8), limits: Self.limits) }
        let error = #expect(throws: BodyError.self) { try JSONObject(body: Array(text.utf8), limits: Self.limits) }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        "", "{", #"{"a":1}x"#, #"{"a":{"b":{"c":1}}}"#, #"{"a":"\u0000"}"#, String(repeating: " ", count: 65),
    ])
    func refusesWhatIsNoJSON(_ text: String) {
        let error = #expect(throws: BodyError.self) { try JSONObject(body: Array(text.utf8), limits: Self.limits) }
        #expect(error?.description.hasPrefix("The body is not valid JSON: ") == true)
    }

    @Test func textsAreOfTheirForm() {
        #expect(TextForm.line.problem(of: "a b ä", charactersMax: 5) == nil)
        #expect(TextForm.line.problem(of: "abcdef", charactersMax: 5) == "must have at most 5 characters")
        #expect(TextForm.line.problem(of: "e\u{301}\u{301}", charactersMax: 2) == "must have at most 2 characters")
        for scalar in ["\t", "\n", "\r"] {
            #expect(TextForm.text.problem(of: scalar, charactersMax: 5) == nil)
            #expect(TextForm.line.problem(of: scalar, charactersMax: 5) == "must not hold control characters")
        }
        for scalar in ["\u{0}", "\u{7F}", "\u{85}", "\u{B}"] {
            #expect(TextForm.text.problem(of: scalar, charactersMax: 5) == "must not hold control characters")
        }
    }

    @Test func failuresAreExplainedByHeaders() {
        let plain = WireResponse(status: .ok)
        let methods: WireFailure = .methodNotAllowed(allowed: [.get, .post])
        #expect(plain.explaining(methods).headers[.allow] == "GET, POST")
        #expect(plain.explaining(.overloaded).headers[.retryAfter] == "1")
        for failure in [.pathUnknown, .bodyTooLarge(bytesMax: 1), .bodyIncomplete, .timedOut] as [WireFailure] {
            #expect(plain.explaining(failure).headers.isEmpty)
        }
    }
}
