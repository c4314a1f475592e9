//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Money
import Payments
import Redaction
import StrictJSON
import Time

/// Reads a JSON object member by member, and refuses every one that it was not asked for.
struct LinkReader {
    private var object: JSONObject

    init(_ value: JSON?) throws(LinkViolation) {
        guard case .object(let object)? = value else { throw LinkViolation("not_an_object") }
        self.object = object
    }

    /// Nothing may be left: what is not understood might have mattered.
    func end() throws(LinkViolation) {
        guard self.object.isEmpty else { throw LinkViolation("unknown_member") }
    }

    private mutating func take(_ name: String) -> JSON? {
        defer { self.object[name] = nil }
        return self.object[name]
    }

    mutating func optionalText(_ name: String, bytesMax: Int = 256) throws(LinkViolation) -> String? {
        switch self.take(name) {
        case nil: return nil
        case .string(let text)? where text.utf8.count <= bytesMax: return text
        default: throw LinkViolation("bad_\(name)")
        }
    }

    /// A text that comes from a merchant or a device, who may say as much as a frame holds: to refuse it would end the
    /// connection, and with it everybody else's calls.
    mutating func optionalLongText(_ name: String) throws(LinkViolation) -> String? {
        try self.optionalText(name, bytesMax: LinkFrame.bytesMax)
    }

    mutating func text(_ name: String, bytesMax: Int = 256) throws(LinkViolation) -> String {
        guard let text = try self.optionalText(name, bytesMax: bytesMax) else { throw LinkViolation("no_\(name)") }
        return text
    }

    mutating func integer(_ name: String) throws(LinkViolation) -> Int64 {
        guard let value = self.take(name)?.integer else { throw LinkViolation("bad_\(name)") }
        return value
    }

    mutating func flag(_ name: String) throws(LinkViolation) -> Bool {
        guard let value = self.take(name)?.bool else { throw LinkViolation("bad_\(name)") }
        return value
    }

    mutating func texts(_ name: String) throws(LinkViolation) -> [String] {
        guard let elements = self.take(name)?.array else { throw LinkViolation("bad_\(name)") }
        let texts = elements.compactMap(\.string)
        guard texts.count == elements.count else { throw LinkViolation("bad_\(name)") }
        return texts
    }

    /// Texts by name, whatever their names.
    mutating func secrets(_ name: String) throws(LinkViolation) -> [String: Redacted<String>] {
        guard let elements = self.take(name)?.array else { throw LinkViolation("bad_\(name)") }
        var secrets: [String: Redacted<String>] = [:]
        for element in elements {
            var reader = try LinkReader(element)
            secrets[try reader.text("name")] = Redacted(try reader.text("value", bytesMax: LinkFrame.bytesMax))
            try reader.end()
        }
        return secrets
    }

    mutating func optionalSecrets(_ name: String) throws(LinkViolation) -> [String: Redacted<String>]? {
        guard self.object[name] != nil else { return nil }
        return try self.secrets(name)
    }

    mutating func reader(_ name: String) throws(LinkViolation) -> LinkReader { try LinkReader(self.take(name)) }

    mutating func optionalReader(_ name: String) throws(LinkViolation) -> LinkReader? {
        guard let value = self.take(name) else { return nil }
        return try LinkReader(value)
    }

    mutating func choice<Choice: RawRepresentable<String>>(_ name: String) throws(LinkViolation) -> Choice {
        guard let choice = Choice(rawValue: try self.text(name)) else { throw LinkViolation("bad_\(name)") }
        return choice
    }

    mutating func id<Tag: IdentifierTag>(_ name: String) throws(LinkViolation) -> Identifier<Tag> {
        guard let id = Identifier<Tag>(try self.text(name)) else { throw LinkViolation("bad_\(name)") }
        return id
    }

    mutating func optionalID<Tag: IdentifierTag>(_ name: String) throws(LinkViolation) -> Identifier<Tag>? {
        guard self.object[name] != nil else { return nil }
        return try self.id(name) as Identifier<Tag>
    }

    mutating func choices<Choice: RawRepresentable<String> & Hashable>(
        _ name: String
    ) throws(LinkViolation) -> Set<Choice> {
        var choices: Set<Choice> = []
        for text in try self.texts(name) {
            guard let choice = Choice(rawValue: text) else { throw LinkViolation("bad_\(name)") }
            choices.insert(choice)
        }
        return choices
    }

    /// The elements of an array, each an object.
    mutating func readers(_ name: String) throws(LinkViolation) -> [LinkReader] {
        guard let elements = self.take(name)?.array else { throw LinkViolation("bad_\(name)") }
        var readers: [LinkReader] = []
        for element in elements { readers.append(try LinkReader(element)) }
        return readers
    }

    func has(_ name: String) -> Bool { self.object[name] != nil }

    mutating func optionalInteger(_ name: String) throws(LinkViolation) -> Int64? {
        guard self.object[name] != nil else { return nil }
        return try self.integer(name)
    }

    mutating func optionalMoney(_ name: String) throws(LinkViolation) -> Money? {
        guard self.object[name] != nil else { return nil }
        return try self.money(name)
    }

    mutating func number(_ name: String = "number") throws(LinkViolation) -> UInt64 {
        guard let number = UInt64(exactly: try self.integer(name)) else { throw LinkViolation("bad_\(name)") }
        return number
    }

    mutating func money(_ name: String) throws(LinkViolation) -> Money {
        var reader = try self.reader(name)
        let minorUnits = try reader.integer("minorUnits")
        guard let currency = Currency.alphabetic(try reader.text("currency")) else {
            throw LinkViolation("bad_currency")
        }
        try reader.end()
        return Money(minorUnits: minorUnits, currency: currency)
    }

    mutating func timestamp(_ name: String) throws(LinkViolation) -> Timestamp {
        Timestamp(milliseconds: try self.integer(name))
    }

    mutating func optionalTimestamp(_ name: String) throws(LinkViolation) -> Timestamp? {
        guard self.object[name] != nil else { return nil }
        return try self.timestamp(name)
    }

    mutating func optionalChoice<Choice: RawRepresentable<String>>(_ name: String) throws(LinkViolation) -> Choice? {
        guard self.object[name] != nil else { return nil }
        return try self.choice(name) as Choice
    }

    mutating func hex(_ name: String, count: Int) throws(LinkViolation) -> [UInt8] {
        guard let bytes = Hex.decode(try self.text(name)), bytes.count == count else {
            throw LinkViolation("bad_\(name)")
        }
        return bytes
    }

    mutating func base64(_ name: String) throws(LinkViolation) -> [UInt8] {
        guard let bytes = Base64.decode(try self.text(name, bytesMax: LinkFrame.bytesMax)) else {
            throw LinkViolation("bad_\(name)")
        }
        return bytes
    }
}

extension JSON {
    /// An object of the members that are there.
    static func link(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        var object = JSONObject()
        for (name, value) in members { object[name] = value }
        return .object(object)
    }

    static func link(_ money: Money) -> JSON {
        ["minorUnits": JSON(money.minorUnits), "currency": .string(money.currency.code)]
    }
}
