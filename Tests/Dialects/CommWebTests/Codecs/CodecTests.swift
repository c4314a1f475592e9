//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Money
import Redaction
import StrictJSON
import Testing

@testable import CommWeb

@Suite struct CodecTests {
    @Test func showsNothingOfARequest() {
        let fields = RequestFields(leaves: ["a.number": "5123450000000008"])
        let shown = "\(fields) \(String(reflecting: fields)) \(fields.canonical)"
        #expect(!shown.contains("5123450000000008") && shown.contains(redactionPlaceholder))
    }

    @Test func flattensAndLeavesOutWhatIsEmpty() throws {
        let text = #"{"a":{"b":{"c":"1","d":{},"e":null,"f":""}},"g":[1],"h":false,"i.j":"2","k":[]}"#
        let fields = RequestFields(flattening: try #require(try JSON.parse(text).object))
        #expect(fields.paths == ["a.b.c", "g", "h"] && fields["a.b.c"]?.string == "1")
        #expect(fields.containsAny(under: "a.b") && !fields.containsAny(under: "a.bc"))
    }

    @Test func laysOneSetOfFieldsOverAnother() {
        let under = RequestFields(leaves: ["a": "1", "b": "2"])
        let merged = RequestFields(leaves: ["b": "3", "c": "4"]).over(under)
        #expect(merged.paths.compactMap { merged[$0]?.string } == ["1", "3", "4"])
    }

    @Test func writesNestedObjectsAndForms() throws {
        var fields = AnswerFields()
        fields["b.y"] = [["c": 1], ["c": 2]]
        fields.set("b.x", "a&b")
        fields.set("a", Money(minorUnits: 3010, currency: try #require(Currency.alphabetic("USD"))))
        fields.set("bb", nil)
        fields["ba"] = true
        #expect(fields.json.text() == #"{"a":30.10,"b":{"x":"a&b","y":[{"c":1},{"c":2}]},"ba":true}"#)
        #expect(
            String(decoding: NVPCodec.body(of: fields), as: UTF8.self)
                == "a=30.10&b.x=a%26b&b.y%5B0%5D.c=1&b.y%5B1%5D.c=2&ba=true")
    }

    /// What is written at once is what the tree would be written as.
    @Test func writesTheBytesOfItsTree() {
        #expect(AnswerFields().serialized() == AnswerFields().json.serialized())
        // Numerical Recipes' linear congruential generator: the same fields every time.
        var state: UInt32 = 7
        let draw = { (bound: Int) -> Int in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 16) % bound
        }
        let names = ["a", "b", "ab", "c1", "d\"e", "é", "f\u{1}"]
        for _ in 0..<300 {
            var fields = AnswerFields()
            for number in 0...draw(12) {
                let path = (0...draw(4)).map { _ in names[draw(names.count)] }
                fields[path.joined(separator: ".")] = [.string("\(number)\""), true]
            }
            #expect(String(decoding: fields.serialized(), as: UTF8.self) == fields.json.text())
        }
    }

    /// A number of which few digits are unknown must not be in a digest that is kept.
    @Test func digestsNoCardNumber() throws {
        func digest(_ number: String, _ code: String?) throws -> String {
            var leaves: [String: JSON] = ["apiOperation": "PAY", CardFields.numberPath: .string(number)]
            leaves[CardFields.securityCodePath] = code.map(JSON.string)
            let call = try Call(
                version: APIVersion(number: 71), operation: .pay, fields: RequestFields(leaves: leaves))
            return call.digest.text
        }
        #expect(try digest("5123450000000008", "100") == digest("5123459999990008", nil))
        #expect(try digest("5123450000000008", nil) != digest("5123450000000009", nil))
    }

    /// Unicode holds both to be equal; they are two orders.
    @Test func theBodysIDIsTheURLsByItsCodePoints() throws {
        func call(_ written: String) throws -> Call {
            try Call(
                version: APIVersion(number: 71), operation: .pay, orderID: "\u{E9}", transactionID: "1",
                fields: RequestFields(leaves: ["order.id": .string(written)]))
        }
        #expect(try call("\u{E9}").orderID?.isExactly("\u{E9}") == true)
        #expect(throws: CommWebError.self) { try call("e\u{301}") }
    }

    @Test(arguments: [
        ([UInt8](repeating: 0, count: 15), "SESSION000000000000000000000000"),
        ([UInt8](repeating: 255, count: 15), "SESSIONZZZZZZZZZZZZZZZZZZZZZZZZ"),
    ])
    func makesSessionIDs(random: [UInt8], id: String) {
        #expect(Session.makeID(random: random) == id && Session.isID(id))
    }

    @Test(arguments: [
        "", "SESSION", "SESSION00000000000000000000000", "SESSION00000000000000000000000a",
        "XSESSION00000000000000000000000",
    ])
    func knowsWhatIsNoSessionID(text: String) {
        #expect(!Session.isID(text))
    }
}
