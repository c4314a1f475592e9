//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StoreRows
import Testing
import Time

/// What is not what it must be is named by its table and column, never trapped on.
@Suite struct ColumnsTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let values: @Sendable () -> RowArguments
        let read: @Sendable (inout TestRow) throws -> Void
        var column = "a"
    }

    static let damages: [Damage] = [
        Damage(testDescription: "no text", values: { [nil] }, read: { _ = try $0.text() }),
        Damage(testDescription: "a number for a text", values: { [1] }, read: { _ = try $0.text() }),
        Damage(testDescription: "no name", values: { [nil] }, read: { _ = try $0.name() }),
        Damage(testDescription: "an empty name", values: { [""] }, read: { _ = try $0.name() }),
        Damage(testDescription: "no integer", values: { [nil] }, read: { _ = try $0.integer() }),
        Damage(testDescription: "a count below zero", values: { [-1] }, read: { _ = try $0.count() }),
        Damage(testDescription: "no time", values: { [nil] }, read: { _ = try $0.timestamp() }),
        Damage(testDescription: "no id", values: { [nil] }, read: { _ = try $0.id(PaymentID.self) }),
        Damage(
            testDescription: "another thing's id", values: { [Sample.id(1, OrderID.self).text] },
            read: { _ = try $0.id(PaymentID.self) }),
        Damage(testDescription: "an optional id", values: { [""] }, read: { _ = try $0.optionalID(PaymentID.self) }),
        Damage(testDescription: "no choice", values: { [nil] }, read: { _ = try $0.choice(Mode.self) }),
        Damage(testDescription: "none of the choices", values: { ["test"] }, read: { _ = try $0.choice(Mode.self) }),
        Damage(
            testDescription: "none of the optional choices", values: { ["mood"] },
            read: { _ = try $0.optionalChoice(DeclineReason.self) }),
        Damage(testDescription: "an unknown currency", values: { ["XXX"] }, read: { _ = try $0.currency() }),
        Damage(testDescription: "money below zero", values: { [-1, "CAD"] }, read: { _ = try $0.money() }),
        Damage(
            testDescription: "money in small letters", values: { [1, "cad"] }, read: { _ = try $0.money() }, column: "b"
        ),
        Damage(testDescription: "sealed under no key", values: { [nil, [UInt8]()] }, read: { _ = try $0.sealed() }),
        Damage(testDescription: "nothing sealed", values: { ["1", nil] }, read: { _ = try $0.sealed() }, column: "b"),
        Damage(testDescription: "no fields", values: { [nil] }, read: { _ = try $0.fields() }),
        Damage(testDescription: "fields in a list", values: { ["[]"] }, read: { _ = try $0.fields() }),
        Damage(testDescription: "a field that is no text", values: { [#"{"a":1}"#] }, read: { _ = try $0.fields() }),
        Damage(testDescription: "no JSON", values: { ["a=b"] }, read: { _ = try $0.optionalFields() }),
    ]

    @Test(arguments: damages) func damageIsNamed(_ damage: Damage) {
        var row = TestRow("a, b", damage.values())
        #expect(throws: StoreError.corrupt("things.\(damage.column)")) { try damage.read(&row) }
    }

    @Test func anotherColumnOfTheTableCanBeNamed() {
        #expect(TestRow("a", []).corrupt("pan_prefix") == .corrupt("things.pan_prefix"))
    }

    @Test func nullIsNothingWhereItMayBe() throws {
        var row = TestRow("a, b, c, d", [nil, nil, nil, nil])
        #expect(try row.optionalTimestamp() == nil)
        #expect(try row.optionalID(PaymentID.self) == nil)
        #expect(try row.optionalChoice(Mode.self) == nil)
        #expect(try row.optionalFields() == [:])
        #expect(row.isReadWhole)
    }

    @Test func fieldsAreWrittenSortedAndReadBack() throws {
        let fields = ["b": "2", "a": "\"1\"\n"]
        #expect(FieldsColumn.object(fields) == #"{"a":"\"1\"\n","b":"2"}"#)
        #expect(FieldsColumn.text(fields) == FieldsColumn.object(fields))
        #expect(FieldsColumn.fields(FieldsColumn.object(fields)) == fields)
        #expect(FieldsColumn.text([:]) == nil)
        #expect(FieldsColumn.object([:]) == "{}")
    }
}
