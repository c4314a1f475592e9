//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Redaction

/// What a parameter may be, as the vendor's tables say it.
struct ParameterRule: Hashable, Sendable {
    enum Presence: Hashable, Sendable {
        case required
        case optional
    }

    let name: String
    /// Other spellings of the name.
    let aliases: [String]
    let presence: Presence
    let format: ParameterFormat

    private init(_ name: String, _ aliases: [String], _ presence: Presence, _ format: ParameterFormat) {
        self.name = name
        self.aliases = aliases
        self.presence = presence
        self.format = format
    }

    static func required(_ name: String, _ format: ParameterFormat, aliases: [String] = []) -> ParameterRule {
        ParameterRule(name, aliases, .required, format)
    }

    static func optional(_ name: String, _ format: ParameterFormat) -> ParameterRule {
        ParameterRule(name, [], .optional, format)
    }
}

extension ReceivedForm {
    /// The values of a table's parameters. The first that does not fit is thrown; what is in no table is ignored.
    func checked(by table: [ParameterRule]) throws(PAYONEError) -> CheckedParameters {
        var values: [String: String] = [:]
        values.reserveCapacity(48)
        for rule in table {
            guard let value = try self.value(of: rule) else {
                guard rule.presence == .optional else {
                    throw PAYONEError(faulty: rule.name, "is required")
                }
                continue
            }
            guard !rule.format.refusesCharacters(of: value) else {
                throw PAYONEError(faulty: rule.name, "must have no control characters", .charactersInvalid)
            }
            if let problem = rule.format.problem(with: value) { throw PAYONEError(faulty: rule.name, problem) }
            values[rule.name] = value
        }
        return CheckedParameters(values: values)
    }

    /// Two spellings of a parameter must say the same.
    private func value(of rule: ParameterRule) throws(PAYONEError) -> String? {
        var found = try self.text(rule.name)
        for name in rule.aliases {
            guard let value = try self.text(name) else { continue }
            guard found == nil || found == value else {
                throw PAYONEError(faulty: rule.name, "is given twice, with different values")
            }
            found = value
        }
        return found
    }
}

/// Parameters that fit their rules, by the rule's name.
struct CheckedParameters: Sendable {
    /// Among them the portal's key and the token.
    private let values: Redacted<[String: String]>

    fileprivate init(values: [String: String]) {
        self.values = Redacted(values)
    }

    subscript(name: String) -> String? { self.values.reveal()[name] }

    /// One that its rule requires.
    func required(_ name: String) throws(PAYONEError) -> String {
        guard let value = self[name] else { throw PAYONEError(faulty: name, "is required") }
        return value
    }

    /// A number that its rule has checked.
    func integer(_ name: String) throws(PAYONEError) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let number = Int64(text) else { throw PAYONEError(faulty: name, "must be a number") }
        return number
    }
}
