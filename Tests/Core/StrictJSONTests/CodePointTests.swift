//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import Testing

/// Texts are compared by their code points (RFC 8259, section 8.3), not by canonical equivalence as Swift does it.
@Suite struct CodePointTests {
    /// Pairs that Swift's `==` takes for equal.
    static let pairs = [
        ("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}"), ("\u{C5}", "\u{212B}"),
        ("\u{8C48}", "\u{F900}"),
    ]

    private static func many(_ count: Int) -> String { (0..<count).map { "\"n\($0)\":0," }.joined() }

    /// A few members are scanned, many are in a set.
    @Test(arguments: pairs, [0, 30])
    func namesWithOtherCodePointsAreOtherNames(pair: (String, String), others: Int) throws {
        #expect(pair.0 == pair.1)
        let json = try JSON.parse("{" + Self.many(others) + "\"\(pair.0)\":1,\"\(pair.1)\":2}")
        #expect(json[pair.0] == 1)
        #expect(json[pair.1] == 2)
        let error = #expect(throws: JSONError.self) {
            try JSON.parse("{" + Self.many(others) + "\"\(pair.1)\":1,\"\(pair.0)\":2,\"\(pair.1)\":3}")
        }
        #expect(error?.code == .duplicateName)
    }

    @Test(arguments: pairs)
    func lookingUpAndSettingTakesTheNameAsItIs(pair: (String, String)) {
        var object = JSONObject()
        object[pair.0] = 1
        #expect(object[pair.1] == nil)
        object[pair.1] = 2
        #expect(object.count == 2)
        object[pair.0] = nil
        #expect(object.names.map { Array($0.utf8) } == [Array(pair.1.utf8)])
        let names = (0..<30).map { (name: "n\($0)", value: JSON.null) }
        let twice = JSONObject(
            names + [(name: pair.0, value: 1 as JSON), (name: pair.1, value: 2), (name: pair.0, value: 3)])
        #expect(twice.count == 32)
        #expect(twice[pair.0] == 3 && twice[pair.1] == 2)
    }

    @Test(arguments: pairs)
    func valuesWithOtherCodePointsDiffer(pair: (String, String)) {
        let (left, right) = (JSON.string(pair.0), JSON.string(pair.1))
        #expect(left != right)
        #expect(left == .string(pair.0))
        #expect(JSON.array([left]) != .array([right]))
        #expect(JSON.object(JSONObject([(name: "a", value: left)])) != .object(JSONObject([(name: "a", value: right)])))
        #expect(
            JSON.object(JSONObject([(name: pair.0, value: 1 as JSON)]))
                != .object(JSONObject([(name: pair.1, value: 1 as JSON)])))
        #expect(Set<JSON>([left, right, .string(pair.1)]).count == 2)
        #expect(Set([ExactText(pair.0), ExactText(pair.1)]).count == 2)
    }

    private enum Letter: String { case kelvin = "K" }

    @Test func aCaseIsWrittenInOneWay() {
        #expect(Letter(rawValue: "\u{212A}") == .kelvin)
        #expect(Letter(exactly: "\u{212A}") == nil)
        #expect(Letter(exactly: "K") == .kelvin)
        #expect(Letter(exactly: "k") == nil)
    }
}
