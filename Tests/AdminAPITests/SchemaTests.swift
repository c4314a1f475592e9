//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import Testing

@testable import AdminAPI

@Suite struct SchemaTests {
    private static let schema = Schema.object(
        .init("name", .name("")), .optional("amount", .amount()), .optional("list", .list(.integer(1...3), max: 2)),
        .optional("texts", .textChanges(max: 2)), .optional("nothing", .nullable(.flag())))

    @Test(
        arguments: [
            (#"{"name": "a"}"#, []), (#"{"name": "a", "amount": "12.50", "list": [1, 3], "texts": {"x": null}}"#, []),
            (#"{"name": "a", "nothing": null}"#, []), (#"{"name": "A"}"#, ["/name"]), (#"{}"#, ["/name"]),
            (#"{"name": 1}"#, ["/name"]), (#"{"name": "a", "amount": "1."}"#, ["/amount"]),
            (#"{"name": "a", "amount": 1.5}"#, ["/amount"]), (#"{"name": "a", "amount": ".5"}"#, ["/amount"]),
            (#"{"name": "a", "list": [0, 4]}"#, ["/list/0", "/list/1"]),
            (#"{"name": "a", "list": [1, 1, 1]}"#, ["/list"]),
            (#"{"name": "a", "list": [1.5]}"#, ["/list/0"]),
            (#"{"name": "a", "texts": {"a/b~": "1", "b": 1}}"#, ["/texts/a~1b~0", "/texts/b"]),
            (#"{"name": "a", "other": 1}"#, ["/other"]), ("[]", [""]), ("null", [""]),
            (#"{"name": "a", "nothing": 1}"#, ["/nothing"]),
        ] as [(String, [String])])
    func violationsAreFoundWhereTheyAre(_ text: String, _ pointers: [String]) throws {
        #expect(Self.schema.violations(of: try JSON.parse(text)).map(\.pointer) == pointers)
    }
}
