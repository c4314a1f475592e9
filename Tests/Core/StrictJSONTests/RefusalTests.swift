//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import Testing

@Suite("What is refused, and why")
struct RefusalTests {
    @Test(arguments: [
        // Nothing, or half of something.
        ("", JSONError.Code.endsEarly, 0), (" ", .endsEarly, 1), ("[", .endsEarly, 1), ("[1", .endsEarly, 2),
        ("[1,", .endsEarly, 3), ("{", .endsEarly, 1), (#"{"a""#, .endsEarly, 4), (#"{"a":"#, .endsEarly, 5),
        (#"{"a":1"#, .endsEarly, 6), (#"{"a":1,"#, .endsEarly, 7), ("tru", .endsEarly, 3), ("n", .endsEarly, 1),
        ("\"", .endsEarly, 1), (#""abc"#, .endsEarly, 4), (#""\"#, .endsEarly, 2), (#""\u00"#, .endsEarly, 5),
        (#""\ud83d"#, .endsEarly, 7), (#""\ud83d\"#, .endsEarly, 8), (#""\ud83d\u"#, .endsEarly, 9),
        (#""\n"#, .endsEarly, 3),
        // Something more.
        ("1 2", .trailingBytes, 2), ("null null", .trailingBytes, 5), ("{}{}", .trailingBytes, 2),
        ("[]]", .trailingBytes, 2), ("[],", .trailingBytes, 2), (#""a"b"#, .trailingBytes, 3),
        ("true\u{0}", .trailingBytes, 4), ("1\u{A0}", .trailingBytes, 1), ("01x", .malformedNumber, 2),
        // Misplaced.
        (",", .unexpectedByte, 0), ("]", .unexpectedByte, 0), ("[,1]", .unexpectedByte, 1),
        ("[1,]", .unexpectedByte, 3),
        ("[1,,2]", .unexpectedByte, 3), ("[1 2]", .unexpectedByte, 3), ("[1;2]", .unexpectedByte, 2),
        ("{,}", .unexpectedByte, 1), (#"{"a":1,}"#, .unexpectedByte, 7), (#"{"a" 1}"#, .unexpectedByte, 5),
        (#"{"a",1}"#, .unexpectedByte, 4), (#"{a:1}"#, .unexpectedByte, 1), (#"{'a':1}"#, .unexpectedByte, 1),
        (#"{1:1}"#, .unexpectedByte, 1), (#"{"a":}"#, .unexpectedByte, 5), (#"{"a":1 "b":2}"#, .unexpectedByte, 7),
        (#"{"a":1]"#, .unexpectedByte, 6), ("[1}", .unexpectedByte, 2), ("'a'", .unexpectedByte, 0),
        ("True", .unexpectedByte, 0), ("nul1", .unexpectedByte, 3), ("nULL", .unexpectedByte, 1),
        ("NaN", .unexpectedByte, 0), ("Infinity", .unexpectedByte, 0), ("undefined", .unexpectedByte, 0),
        ("+1", .unexpectedByte, 0), (".5", .unexpectedByte, 0), ("/* c */1", .unexpectedByte, 0),
        ("#1", .unexpectedByte, 0),
        ("\u{FEFF}1", .byteOrderMark, 0), (" \u{FEFF}1", .unexpectedByte, 1),
        ("\u{C}1", .unexpectedByte, 0), ("\u{B}1", .unexpectedByte, 0),
        ("\u{0}", .unexpectedByte, 0), ("\u{A0}1", .unexpectedByte, 0), ("１", .unexpectedByte, 0),
        // Numbers.
        ("-", .malformedNumber, 1), ("--1", .malformedNumber, 1), ("-a", .malformedNumber, 1),
        ("01", .malformedNumber, 2),
        ("00", .malformedNumber, 2), ("-01", .malformedNumber, 3), ("1.", .malformedNumber, 2),
        ("1.e3", .malformedNumber, 2),
        ("1e", .malformedNumber, 2), ("1e+", .malformedNumber, 3), ("1E-x", .malformedNumber, 3),
        ("-.5", .malformedNumber, 1),
        ("-Infinity", .malformedNumber, 1), ("0x10", .trailingBytes, 1), ("1_000", .trailingBytes, 1),
        ("1.2.3", .trailingBytes, 3), ("1e5.5", .trailingBytes, 3),
        // Strings.
        ("\"\n\"", .malformedString, 1), ("\"\t\"", .malformedString, 1), ("\"\u{0}\"", .malformedString, 1),
        ("\"\u{1F}\"", .malformedString, 1), ("\"\\n\u{1}\"", .malformedString, 3), (#""\a""#, .malformedString, 3),
        (#""\'""#, .malformedString, 3), (#""\x41""#, .malformedString, 3), (#""\U0041""#, .malformedString, 3),
        (#""\0""#, .malformedString, 3), (#""\u004g""#, .malformedString, 6), (#""\u 041""#, .malformedString, 3),
        (#""\u{41}""#, .malformedString, 3), (#""\u+041""#, .malformedString, 3),
        // Surrogates without their other half.
        (#""\ud800""#, .malformedString, 7), (#""\udc00""#, .malformedString, 7), (#""\udfff""#, .malformedString, 7),
        (#""\ud800x""#, .malformedString, 7), (#""\ud800\n""#, .malformedString, 8),
        (#""\ud800\ud800""#, .malformedString, 13), (#""\ud800\u0041""#, .malformedString, 13),
        (#""\ud800\udbff""#, .malformedString, 13), (#""\ud800\ue000""#, .malformedString, 13),
        (#""\udc00\ud800""#, .malformedString, 7), (#"{"\ud800":1}"#, .malformedString, 8),
        // Names twice, as they are after unescaping.
        (#"{"a":1,"a":1}"#, .duplicateName, 7), (#"{"a":1,"b":2,"a":3}"#, .duplicateName, 13),
        (#"{"a":1,"\u0061":2}"#, .duplicateName, 7), (#"{"":1,"":2}"#, .duplicateName, 6),
        (#"[{"x":{"a":1,"a":2}}]"#, .duplicateName, 13),
    ])
    func refuses(_ text: String, _ code: JSONError.Code, _ offset: Int) {
        #expect(throws: JSONError(code: code, offset: offset)) { try JSON.parse(text) }
        #expect(throws: JSONError(code: code, offset: offset)) { try JSON.parse(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            // RFC 3629: no stray or missing continuation, no overlong form, no surrogate, nothing above U+10FFFF.
            [0x80], [0xBF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x98], [0xC0, 0x80],
            [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        ] as [[UInt8]])
    func refusesWhatIsNotUTF8(_ bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(throws: JSONError(code: .invalidUTF8, offset: 1)) { try JSON.parse([quote] + bytes + [quote]) }
        // The same behind an escape, where strings are copied.
        #expect(throws: JSONError(code: .invalidUTF8, offset: 1)) {
            try JSON.parse([quote] + Array(#"\n"#.utf8) + bytes + [quote])
        }
        #expect(throws: JSONError(code: .unexpectedByte, offset: 0)) { try JSON.parse(bytes) }
    }

    @Test(arguments: [2, 7, 8, 9, 10, 500])
    func findsDuplicateAmongManyNames(_ count: Int) throws {
        let members = (0..<count).map { "\"n\($0)\":\($0)" }
        #expect(try JSON.parse("{" + members.joined(separator: ",") + "}").object?.count == count)
        for repeated in [0, count / 2, count - 1] {
            let text = "{" + (members + ["\"n\(repeated)\":0"]).joined(separator: ",") + "}"
            let error = #expect(throws: JSONError.self) { try JSON.parse(text) }
            #expect(error?.code == .duplicateName)
        }
    }

    // MARK: - Limits

    @Test func refusesTooManyBytes() throws {
        let limits = JSONLimits(bytesMax: 5)
        #expect(try JSON.parse("12345", limits: limits) == .number("12345"))
        #expect(throws: JSONError(code: .tooLarge, offset: 5)) { try JSON.parse("123456", limits: limits) }
        #expect(throws: JSONError(code: .tooLarge, offset: 5)) { try JSON.parse("     1", limits: limits) }
    }

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func refusesTooMuchDepth(_ open: String, _ close: String) throws {
        let nested = { (depth: Int) in
            String(repeating: open, count: depth) + "0" + String(repeating: close, count: depth)
        }
        let limits = JSONLimits(depthMax: 3)
        #expect(throws: Never.self) { try JSON.parse(nested(3), limits: limits) }
        #expect(throws: JSONError(code: .tooDeep, offset: 3 * open.utf8.count)) {
            try JSON.parse(nested(4), limits: limits)
        }
        #expect(throws: Never.self) { try JSON.parse(nested(32)) }
        #expect(throws: JSONError(code: .tooDeep, offset: 32 * open.utf8.count)) { try JSON.parse(nested(33)) }
    }

    @Test(arguments: [100_000, 1_000_000])
    func refusesAbyssWithoutFallingIn(_ depth: Int) {
        let limits = JSONLimits(bytesMax: .max)
        for open in ["[", #"{"a":"#, #"[{"a":"#, " [ "] {
            let text = String(repeating: open, count: depth)
            let error = #expect(throws: JSONError.self) { try JSON.parse(text, limits: limits) }
            #expect(error?.code == .tooDeep)
        }
    }

    @Test func refusesTooManyValues() throws {
        let limits = JSONLimits(valuesMax: 4)
        #expect(throws: Never.self) { try JSON.parse("[1,2,3]", limits: limits) }
        #expect(throws: JSONError(code: .tooManyValues, offset: 7)) { try JSON.parse("[1,2,3,4]", limits: limits) }
        #expect(throws: Never.self) { try JSON.parse(#"{"a":1,"b":[2]}"#, limits: limits) }
        let many = "[" + Array(repeating: "0", count: 20_000).joined(separator: ",") + "]"
        let error = #expect(throws: JSONError.self) { try JSON.parse(many) }
        #expect(error?.code == .tooManyValues)
    }

    @Test func limitsHaveDefaults() {
        let limits = JSONLimits()
        #expect(limits.bytesMax == 1 << 20)
        #expect(limits.depthMax == 32)
        #expect(limits.valuesMax == 20_000)
    }

    // MARK: - Errors

    @Test(arguments: [
        (JSONError.Code.tooLarge, "too_large"), (.tooDeep, "too_deep"), (.tooManyValues, "too_many_values"),
        (.endsEarly, "ends_early"), (.trailingBytes, "trailing_bytes"), (.unexpectedByte, "unexpected_byte"),
        (.malformedNumber, "malformed_number"), (.malformedString, "malformed_string"),
        (.invalidUTF8, "invalid_utf8"), (.duplicateName, "duplicate_name"), (.byteOrderMark, "byte_order_mark"),
    ])
    func codeIsStableAndSaidInASentence(_ code: JSONError.Code, _ text: String) {
        #expect(code.rawValue == text)
        let description = JSONError(code: code, offset: 17).description
        #expect(description.hasSuffix("(byte 17)"))
        #expect(description.count > 20)
    }

    @Test func errorCarriesNothingOfTheText() {
        let error = #expect(throws: JSONError.self) { try JSON.parse(#"{"pan":4895370012345671x}"#) }
        #expect(error.map { "\($0)" }?.contains("4895") == false)
    }
}
