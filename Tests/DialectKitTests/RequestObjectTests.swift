//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import StrictJSON
import Testing

@Suite struct RequestObjectTests {
    private func object(_ text: String) throws -> RequestObject {
        try RequestObject(try JSON.parse(text))
    }

    @Test func readsFieldsAndIgnoresOthers() throws {
        let object = try self.object(
            #"{"id":"x1","order":{"count":3,"note":"two\nlines"},"other":[1],"empty":"","none":null}"#)
        #expect(try object.string("id", charactersMax: 2) == "x1")
        let order = try object.object("order")
        #expect(try order.optionalInteger("count", in: 1...3) == 3)
        #expect(try order.string("note", charactersMax: 20, as: .text) == "two\nlines")
        #expect(try object.optionalString("empty", charactersMax: 1) == nil)
        #expect(try object.optionalString("none", charactersMax: 1) == nil)
        #expect(try object.optionalObject("none") == nil)
        #expect(try object.optionalInteger("missing", in: 1...2) == nil)
        #expect(object.value("none") == nil)
    }

    @Test func refusesABodyThatIsNoObject() {
        #expect(throws: FieldError(path: "", problem: "must be a JSON object, and is an array")) {
            try self.object("[]")
        }
    }

    @Test(arguments: [
        (#"{"a":{}}"#, "a.b: is required and must be a string"),
        (#"{"a":{"b":""}}"#, "a.b: must not be empty"),
        (#"{"a":{"b":1}}"#, "a.b: must be a string, and is a number"),
        (#"{"a":{"b":"abcd"}}"#, "a.b: must have at most 3 characters"),
        (#"{"a":{"b":"e\u0301\u0301\u0301"}}"#, "a.b: must have at most 3 characters"),
        (#"{"a":{"b":"\n"}}"#, "a.b: must not hold control characters"),
        (#"{"a":{"b":"\u0085"}}"#, "a.b: must not hold control characters"),
        (#"{"a":7}"#, "a: must be a JSON object, and is a number"),
        (#"{}"#, "a: is required and must be a JSON object"),
    ])
    func saysWhichFieldIsWrongAndHow(text: String, message: String) throws {
        let object = try self.object(text)
        let error = #expect(throws: FieldError.self) {
            _ = try object.object("a").string("b", charactersMax: 3)
        }
        #expect(error?.description == message)
    }

    @Test(arguments: ["0", "4", "1.0", "1e0", #""1""#, "true", "99999999999999999999"])
    func refusesAnIntegerOutOfBounds(text: String) throws {
        let object = try self.object("{\"n\":\(text)}")
        let error = #expect(throws: FieldError.self) { _ = try object.optionalInteger("n", in: 1...3) }
        #expect(error?.description == "n: must be an integer from 1 to 3")
    }
}
