//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A JSON value (RFC 8259) as it was written: numbers keep their text, objects keep the order of their members.
///
/// Amounts pass through here, and so nothing is ever turned into binary floating point. Made by ``parse(_:limits:)``,
/// which refuses what lenient parsers let pass: duplicate names, invalid UTF-8, lone surrogates, trailing bytes, too
/// much depth.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number's text as written, e.g. "10.50" or "-1e3".
    case number(String)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    /// Texts are equal by their code points, not by canonical equivalence (``Swift/String/isExactly(_:)``).
    public static func == (lhs: JSON, rhs: JSON) -> Bool {
        switch (lhs, rhs) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.isExactly(right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }
}

// MARK: - Reading

extension JSON {
    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The number's text as written.
    public var numberText: String? {
        guard case .number(let text) = self else { return nil }
        return text
    }

    /// The number, if it is written as an integer and fits.
    public var integer: Int64? {
        guard case .number(let text) = self else { return nil }
        return Int64(text)
    }

    public var array: [JSON]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    public var object: JSONObject? {
        guard case .object(let value) = self else { return nil }
        return value
    }

    public var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }

    /// The member of that name, if this is an object that has one.
    public subscript(name: String) -> JSON? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }

    /// What kind of value this is, in the words of an error message: "an object", "a string" …
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

// MARK: - Building

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByNilLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .number(String(value)) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Members in the order written. A repeated name keeps the last value.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }

    public init(_ value: some BinaryInteger) { self = .number(String(value)) }

    /// A text; null where there is none.
    public static func string(orNull text: String?) -> JSON { text.map(JSON.string) ?? .null }
}

/// The members of a JSON object, in the order written. Names are unique, by their code points.
public struct JSONObject: Hashable, Sendable {
    public private(set) var members: [(name: String, value: JSON)] = []

    public init() {}

    public var isEmpty: Bool { self.members.isEmpty }

    public var count: Int { self.members.count }

    public var names: [String] { self.members.map(\.name) }

    /// Setting `nil` removes the member; setting a new name appends it.
    public subscript(name: String) -> JSON? {
        get {
            for member in self.members where member.name.isExactly(name) { return member.value }
            return nil
        }
        set {
            let index = self.members.firstIndex { $0.name.isExactly(name) }
            switch (index, newValue) {
            case (let index?, let value?): self.members[index].value = value
            case (let index?, nil): self.members.remove(at: index)
            case (nil, let value?): self.members.append((name, value))
            case (nil, nil): break
            }
        }
    }

    /// Members in the order given. A repeated name keeps the last value.
    public init(_ members: some Sequence<(name: String, value: JSON)>) {
        let all = Array(members)
        guard Self.hasRepeatedName(all) else {
            self.members = all
            return
        }
        self.members = []
        for (name, value) in all { self[name] = value }
    }

    /// A set only where a scan would be slow: most objects are small.
    private static func hasRepeatedName(_ members: [(name: String, value: JSON)]) -> Bool {
        guard members.count > 24 else {
            for (index, member) in members.enumerated() {
                for earlier in members[..<index] where earlier.name.isExactly(member.name) { return true }
            }
            return false
        }
        var names = Set<ExactText>(minimumCapacity: members.count)
        return !members.allSatisfy { names.insert(ExactText($0.name)).inserted }
    }

    /// For the parser, which has made sure that the names are unique.
    init(uniqueMembers members: [(name: String, value: JSON)]) {
        self.members = members
    }

    /// Two objects are equal when they have the same members, in whatever order (RFC 8259, section 4).
    public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
        lhs.members.count == rhs.members.count && lhs.members.allSatisfy { rhs[$0.name] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        var combined = 0
        for member in self.members {
            var one = Hasher()
            one.combine(member.name)
            one.combine(member.value)
            combined ^= one.finalize()
        }
        hasher.combine(combined)
    }
}
