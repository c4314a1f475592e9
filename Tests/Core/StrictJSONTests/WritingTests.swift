//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import TestRandom
import Testing

@Suite("Writing, and reading back")
struct WritingTests {
    static let written: [(JSON, String)] = [
        (JSON.null, "null"), (.bool(true), "true"), (.bool(false), "false"), (.number("1.50"), "1.50"),
        (.string(""), #""""#), (.string("a/b"), #""a/b""#), (.string("\"\\"), #""\"\\""#),
        (.string("\u{8}\u{C}\n\r\t"), #""\b\f\n\r\t""#), (.string("\u{0}\u{1}\u{1F}"), #""\u0000\u0001\u001f""#),
        (.string("é日😀\u{7F}\u{2028}"), "\"é日😀\u{7F}\u{2028}\""), (.array([]), "[]"), (.object(JSONObject()), "{}"),
        (["b": 1, "a": [nil, ["x": "y"]]], #"{"b":1,"a":[null,{"x":"y"}]}"#), (["\n": "\n"], #"{"\n":"\n"}"#),
    ]

    @Test(arguments: WritingTests.written)
    func writes(_ value: JSON, _ text: String) throws {
        #expect(value.text() == text)
        #expect(value.serialized() == Array(text.utf8))
        #expect(try JSON.parse(text) == value)
    }

    @Test func writesForPeopleToo() throws {
        let value: JSON = ["a": [1, [], [:]], "b": ["c": "d"]]
        let text = """
            {
              "a": [
                1,
                [],
                {}
              ],
              "b": {
                "c": "d"
              }
            }
            """
        #expect(value.text(pretty: true) == text)
        #expect(try JSON.parse(text) == value)
    }

    /// Random values: written, read and written again.
    @Test func readsWhatItWrites() throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<2000 {
            let value = Self.value(depth: 0, &random)
            let text = value.text()
            let back = try JSON.parse(text)
            #expect(back == value)
            #expect(back.text() == text)
            #expect(try JSON.parse(value.text(pretty: true)) == value)
        }
    }

    static func value(depth: Int, _ random: inout SeededRandom) -> JSON {
        switch Int.random(in: 0..<(depth < 5 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return JSON(Int64.random(in: .min ... .max, using: &random))
        case 3: return .number("\(Int.random(in: -999...999, using: &random)).50e-7")
        case 4: return .string(self.text(&random))
        case 5:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in self.value(depth: depth + 1, &random) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                object[self.text(&random)] = self.value(depth: depth + 1, &random)
            }
            return .object(object)
        }
    }

    private static func text(_ random: inout SeededRandom) -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
            let bound: UInt32 = [0x20, 0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &random) ?? 0x80
            scalars.append(Unicode.Scalar(UInt32.random(in: 0..<bound, using: &random)) ?? "\"")
        }
        return String(scalars)
    }
}
