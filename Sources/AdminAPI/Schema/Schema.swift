//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Settings
import StrictJSON

/// What a JSON value may be: it is written into the OpenAPI document, and what is sent is held against it, so that the two
/// cannot differ.
indirect enum Schema: Sendable {
    case text(Text = Text())
    case choice([String], String = "")
    case integer(ClosedRange<Int64>, String = "")
    case flag(String = "")
    case list(Schema, max: Int, String = "")
    case object(Object)
    /// Texts by name.
    case texts(max: Int, String = "")
    /// As ``texts(max:_:)``, and `null` takes a value away.
    case textChanges(max: Int, String = "")
    case nullable(Schema)
    /// One that has a place of its own in the document.
    case named(String)
    case anything(String = "")

    struct Text: Sendable {
        var charactersMin = 0
        var charactersMax = 1024
        /// ECMA 262, as JSON Schema has it; for the document alone where ``isValid`` says the same.
        var pattern: String?
        var format: String?
        var meaning = ""
        var isValid: @Sendable (String) -> Bool = { _ in true }
    }

    struct Object: Sendable {
        var fields: [Field]
        var meaning = ""
        /// Of these members one must be there, and no other.
        var oneOf: [String] = []

        init(_ fields: [Field], _ meaning: String = "", oneOf: [String] = []) {
            self.fields = fields
            self.meaning = meaning
            self.oneOf = oneOf
        }
    }

    struct Field: Sendable {
        let name: String
        let schema: Schema
        let isRequired: Bool

        init(_ name: String, _ schema: Schema, isRequired: Bool = true) {
            self.name = name
            self.schema = schema
            self.isRequired = isRequired
        }

        static func optional(_ name: String, _ schema: Schema) -> Field { Field(name, schema, isRequired: false) }
    }
}

// MARK: - The usual texts

extension Schema {
    /// A line of text: no control characters.
    static func line(_ max: Int, _ meaning: String = "", min: Int = 1) -> Schema {
        .text(
            Text(
                charactersMin: min, charactersMax: max, pattern: #"^[^\u0000-\u001f\u007f-\u009f]*$"#, meaning: meaning,
                isValid: { !$0.unicodeScalars.contains(where: ASCII.isControl) }))
    }

    /// What the gateway calls something: "pay_…".
    static func id(_ prefix: String, _ meaning: String = "") -> Schema {
        .text(
            Text(
                charactersMin: prefix.utf8.count + 26, charactersMax: prefix.utf8.count + 26,
                pattern: "^\(prefix)[0-7][0-9A-HJKMNP-TV-Z]{25}$", meaning: meaning,
                isValid: { $0.hasPrefix(prefix) }))
    }

    /// What people are to call a new merchant or account: no option of a command.
    static func newName(_ meaning: String) -> Schema {
        .text(
            Text(
                charactersMin: 1, charactersMax: 64, pattern: "^[a-z0-9][a-z0-9-]{0,63}$", meaning: meaning,
                isValid: { SettingRules.name($0) == nil }))
    }

    /// What people call a merchant or an account that is there.
    static func name(_ meaning: String) -> Schema {
        .text(
            Text(
                charactersMin: 1, charactersMax: 64, pattern: "^[a-z0-9-]{1,64}$", meaning: meaning,
                isValid: { text in
                    text.utf8.allSatisfy { ASCII.isSmallLetter($0) || ASCII.isDigit($0) || $0 == 0x2D }
                }))
    }

    /// In the currency's major unit: "12.50".
    static func amount(_ meaning: String = "In the currency's major unit.") -> Schema {
        .text(
            Text(
                charactersMin: 1, charactersMax: 20, pattern: #"^[0-9]{1,15}(\.[0-9]{1,4})?$"#, meaning: meaning,
                isValid: { text in
                    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
                    let areDigits = parts.allSatisfy { part in part.utf8.allSatisfy(ASCII.isDigit) }
                    return areDigits && (1...15).contains(parts[0].count)
                        && (parts.count == 1 || parts.count == 2 && (1...4).contains(parts[1].count))
                }))
    }

    /// RFC 3339.
    static func moment(_ meaning: String = "") -> Schema {
        .text(Text(charactersMin: 20, charactersMax: 35, format: "date-time", meaning: meaning))
    }

    static let currency = Schema.named("Currency")
    static let country = Schema.named("Country")

    static func object(_ fields: Field...) -> Schema { .object(Object(fields)) }
}

// MARK: - Checking

extension Schema {
    private static func isName(_ name: String) -> Bool {
        let bytes = name.utf8
        return (1...64).contains(bytes.count) && bytes.allSatisfy(ASCII.isAlphanumeric)
            && bytes.first.map(ASCII.isLetter) == true
    }

    /// The longest text by name: a certificate with those that issued it, PEM.
    static let textMax = 16_384

    /// What is wrong with a value, and where: RFC 6901.
    struct Violation: Hashable, Sendable {
        let pointer: String
        let detail: String
    }

    /// - Parameter named: the schemas that have places of their own in the document.
    func violations(of value: JSON, at pointer: String = "", named: [String: Schema] = [:]) -> [Violation] {
        func wrong(_ detail: String) -> [Violation] { [Violation(pointer: pointer, detail: detail)] }
        switch self {
        case .anything: return []
        case .named(let name): return named[name]?.violations(of: value, at: pointer, named: named) ?? []
        case .nullable(let schema): return value.isNull ? [] : schema.violations(of: value, at: pointer, named: named)
        case .flag: return value.bool == nil ? wrong("must be true or false, and is \(value.kind)") : []
        case .choice(let choices, _):
            guard let text = value.string, choices.contains(text) else {
                return wrong("must be one of: \(choices.joined(separator: ", "))")
            }
            return []
        case .integer(let range, _):
            guard let number = value.wholeNumber, range.contains(number) else {
                return wrong("must be an integer of \(range.lowerBound) to \(range.upperBound)")
            }
            return []
        case .text(let rule):
            guard let text = value.string else { return wrong("must be a string, and is \(value.kind)") }
            return rule.problem(text).map(wrong) ?? []
        case .list(let element, let max, _):
            guard let list = value.array else { return wrong("must be an array, and is \(value.kind)") }
            guard list.count <= max else { return wrong("must have at most \(max) elements") }
            return list.enumerated().flatMap { index, value in
                element.violations(of: value, at: "\(pointer)/\(index)", named: named)
            }
        case .texts(let max, _), .textChanges(let max, _):
            guard let object = value.object else { return wrong("must be an object, and is \(value.kind)") }
            guard object.members.count <= max else { return wrong("must have at most \(max) members") }
            return object.members.flatMap { name, member -> [Violation] in
                let place = pointer.appending(member: name)
                guard Self.isName(name) else {
                    return [
                        Violation(pointer: place, detail: "is no name: up to 64 letters and digits, the first a letter")
                    ]
                }
                if case .textChanges = self, member.isNull { return [] }
                guard let text = member.string else { return [Violation(pointer: place, detail: "must be a string")] }
                return text.unicodeScalars.count <= Self.textMax
                    ? [] : [Violation(pointer: place, detail: "must have at most \(Self.textMax) characters")]
            }
        case .object(let object):
            guard let found = value.object else { return wrong("must be an object, and is \(value.kind)") }
            return object.violations(of: found, at: pointer, named: named)
        }
    }
}

extension Schema.Text {
    fileprivate func problem(_ text: String) -> String? {
        let count = text.unicodeScalars.count
        guard (self.charactersMin...self.charactersMax).contains(count) else {
            return self.charactersMin == self.charactersMax
                ? "must have \(self.charactersMax) characters"
                : "must have \(self.charactersMin) to \(self.charactersMax) characters"
        }
        guard self.isValid(text) else {
            return self.pattern.map { "must match \($0)" } ?? "is not allowed"
        }
        return nil
    }
}

extension Schema.Object {
    fileprivate func violations(
        of found: JSONObject, at pointer: String, named: [String: Schema]
    ) -> [Schema.Violation] {
        var violations: [Schema.Violation] = []
        for field in self.fields {
            let place = pointer.appending(member: field.name)
            if let value = found[field.name] {
                violations += field.schema.violations(of: value, at: place, named: named)
            } else if field.isRequired {
                violations.append(Schema.Violation(pointer: place, detail: "is required"))
            }
        }
        if !self.oneOf.isEmpty, self.oneOf.count(where: { found[$0] != nil }) != 1 {
            violations.append(
                Schema.Violation(
                    pointer: pointer, detail: "must have one of these: \(self.oneOf.joined(separator: ", "))"))
        }
        // A member that nobody reads is a mistake, or somebody's try to set what is not his to set.
        for (name, _) in found.members where !self.fields.contains(where: { $0.name == name }) {
            let names = self.fields.map(\.name).joined(separator: ", ")
            violations.append(
                Schema.Violation(
                    pointer: pointer.appending(member: name),
                    detail: "is not known" + (names.isEmpty ? "" : "; there are: \(names)")))
        }
        return violations
    }
}

extension JSON {
    /// The number where it is a whole one, however it is written: JSON Schema takes 5.0 for an integer.
    var wholeNumber: Int64? {
        guard let text = self.numberText, let point = text.firstIndex(of: ".") else { return self.integer }
        let fraction = text[text.index(after: point)...]
        return !fraction.isEmpty && fraction.utf8.allSatisfy { $0 == 0x30 } ? Int64(text[..<point]) : nil
    }
}

extension String {
    /// RFC 6901, section 3.
    func appending(member name: String) -> String {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return "\(self)/\(escaped)"
    }
}
