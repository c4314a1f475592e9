//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import Testing

@Suite("What RFC 8259 calls JSON")
struct AcceptanceTests {
    static let accepted: [(String, JSON)] = [
        ("null", JSON.null), ("true", .bool(true)), ("false", .bool(false)), ("0", .number("0")), ("-0", .number("-0")),
        ("42", .number("42")), ("-42", .number("-42")), ("1.5", .number("1.5")), ("0.50", .number("0.50")),
        ("1e3", .number("1e3")), ("1E3", .number("1E3")), ("1e+3", .number("1e+3")), ("1e-3", .number("1e-3")),
        ("-1.25E-10", .number("-1.25E-10")), ("0e0", .number("0e0")), ("10.00", .number("10.00")),
        ("123456789012345678901234567890.10", .number("123456789012345678901234567890.10")),
        (#""""#, .string("")), (#""a""#, .string("a")), (#""日本語""#, .string("日本語")), (#""😀""#, .string("😀")),
        ("\"\u{7F}\"", .string("\u{7F}")), ("\"\u{2028}\u{2029}\"", .string("\u{2028}\u{2029}")),
        ("\"\u{FEFF}\"", .string("\u{FEFF}")), ("[]", .array([])), ("[ ]", .array([])), ("{}", .object(JSONObject())),
        ("{ }", .object(JSONObject())), ("[1,2]", .array([.number("1"), .number("2")])),
        ("[[],[[]]]", .array([.array([]), .array([.array([])])])), (" \t\r\n1 \t\r\n", .number("1")),
        (" [ 1 , 2 ] ", .array([.number("1"), .number("2")])),
        (#"{"a":1}"#, ["a": 1]), (#" { "a" : [ true , null ] } "#, ["a": [true, nil]]), (#"{"":""}"#, ["": ""]),
        (#"{"a":{"a":{"a":{}}}}"#, ["a": ["a": ["a": [:]]]]), (#"{"a":1,"A":2}"#, ["a": 1, "A": 2]),
    ]

    @Test(arguments: AcceptanceTests.accepted)
    func accepts(_ text: String, _ value: JSON) throws {
        #expect(try JSON.parse(text) == value)
        #expect(try JSON.parse(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        (#""\"""#, "\""), (#""\\""#, "\\"), (#""\/""#, "/"), (#""\b""#, "\u{8}"), (#""\f""#, "\u{C}"), (#""\n""#, "\n"),
        (#""\r""#, "\r"), (#""\t""#, "\t"), (#""\u0041""#, "A"), (#""\u00e9""#, "\u{E9}"), (#""\u00E9""#, "\u{E9}"),
        (#""\u0000""#, "\u{0}"), (#""\u001f""#, "\u{1F}"), (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00""#, "😀"),
        (#""\ud800\udc00""#, "\u{10000}"), (#""\udbff\udfff""#, "\u{10FFFF}"), (#""\uffff""#, "\u{FFFF}"),
        (#""\ud7ff\ue000""#, "\u{D7FF}\u{E000}"), (#""a\u0062c""#, "abc"), (#""日\n本""#, "日\n本"),
        (#""\\u0041""#, "\\u0041"), (#""\u005cn""#, "\\n"), (#""x\ud83d\ude00y\ud83d\ude01z""#, "x😀y😁z"),
    ])
    func unescapes(_ text: String, _ value: String) throws {
        #expect(try JSON.parse(text).string.map { Array($0.unicodeScalars) } == Array(value.unicodeScalars))
    }

    /// A collection that has no contiguous storage is copied.
    @Test func readsBytesThatAreNotContiguous() throws {
        let text = #"{"a":[1,"b"]}"#
        #expect(try JSON.parse(text.utf8.lazy.map { $0 }) == ["a": [1, "b"]])
        #expect(try JSON.parse(Array(" \(text)".utf8).dropFirst()) == ["a": [1, "b"]])
    }

    @Test func keepsTheOrderOfMembers() throws {
        let names = (0..<200).map { "name\($0 * 7919 % 200)" }
        let text = "{" + names.map { "\"\($0)\":null" }.joined(separator: ",") + "}"
        #expect(try JSON.parse(text).object?.names == names)
    }

    // MARK: - Access

    @Test func readersAnswerOnlyTheirKind() throws {
        let values: [JSON] = [nil, true, 5, "x", [1], ["a": 1]]
        #expect(values.map { $0.bool } == [nil, true, nil, nil, nil, nil])
        #expect(values.map { $0.numberText } == [nil, nil, "5", nil, nil, nil])
        #expect(values.map { $0.integer } == [nil, nil, 5, nil, nil, nil])
        #expect(values.map { $0.string } == [nil, nil, nil, "x", nil, nil])
        #expect(values.map { $0.array } == [nil, nil, nil, nil, [1], nil])
        #expect(values.map { $0.object?.names } == [nil, nil, nil, nil, nil, ["a"]])
        #expect(values.map { $0["a"] } == [nil, nil, nil, nil, nil, 1])
        #expect(
            values.map(\.kind) == ["null", "a boolean", "a number", "a string", "an array", "an object"])
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9223372036854775807", Int64.max),
            ("-9223372036854775808", Int64.min), ("9223372036854775808", nil), ("1.0", nil), ("1e2", nil),
            ("-1.5", nil),
        ] as [(String, Int64?)])
    func integerIsExactOrNothing(_ text: String, _ value: Int64?) throws {
        #expect(try JSON.parse(text).integer == value)
    }

    @Test func objectsAreEditedInPlace() {
        var object = JSONObject()
        #expect(object.isEmpty)
        object["a"] = 1
        object["b"] = 2
        object["a"] = 3
        object["c"] = nil
        #expect(object.names == ["a", "b"])
        #expect(object["a"] == 3)
        object["a"] = nil
        #expect(object.names == ["b"])
        #expect(object.count == 1)
        #expect(object["zzz"] == nil)
    }

    @Test func objectsAreEqualInAnyOrder() throws {
        let first = try JSON.parse(#"{"a":1,"b":[2],"c":{"x":1,"y":2}}"#)
        let second = try JSON.parse(#"{"c":{"y":2,"x":1},"a":1,"b":[2]}"#)
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(Set([first, second]).count == 1)
        #expect(try first != JSON.parse(#"{"a":1,"b":[2],"c":{"x":1,"y":3}}"#))
        #expect(try first != JSON.parse(#"{"a":1,"b":[2]}"#))
        #expect(try JSON.parse("[1,2]") != JSON.parse("[2,1]"))
        #expect(try JSON.parse("1.0") != JSON.parse("1"))
        #expect(try JSON.parse(#"{"a":null}"#) != JSON.parse("{}"))
    }

    @Test func literalsBuildValues() throws {
        let value: JSON = ["a": [1, true, nil, "x", ["b": -5]], "n": JSON(UInt64.max)]
        #expect(value.text() == #"{"a":[1,true,null,"x",{"b":-5}],"n":18446744073709551615}"#)
        let repeated: JSON = ["a": 1, "b": 2, "a": 3]
        #expect(repeated.text() == #"{"a":3,"b":2}"#)
    }
}
