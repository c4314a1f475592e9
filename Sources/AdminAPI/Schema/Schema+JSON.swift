//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

extension Schema {
    /// JSON Schema, draft 2020-12, as OpenAPI 3.1 has it.
    var json: JSON {
        var object = JSONObject()
        switch self {
        case .anything: break
        case .named(let name): object["$ref"] = .string("#/components/schemas/\(name)")
        case .nullable(let schema): object["anyOf"] = [schema.json, ["type": "null"]]
        case .flag: object["type"] = "boolean"
        case .choice(let choices, _):
            object["type"] = "string"
            object["enum"] = .array(choices.map { .string($0) })
        case .integer(let range, _):
            object["type"] = "integer"
            object["minimum"] = JSON(range.lowerBound)
            object["maximum"] = JSON(range.upperBound)
        case .text(let rule):
            object["type"] = "string"
            if rule.charactersMin > 0 { object["minLength"] = JSON(rule.charactersMin) }
            object["maxLength"] = JSON(rule.charactersMax)
            object["pattern"] = rule.pattern.map { .string($0) }
            object["format"] = rule.format.map { .string($0) }
        case .list(let element, let max, _):
            object["type"] = "array"
            object["items"] = element.json
            object["maxItems"] = JSON(max)
        case .texts(let max, _):
            object["type"] = "object"
            object["additionalProperties"] = [
                "type": "string", "maxLength": JSON(Self.textMax), "pattern": .string(Self.textPattern),
            ]
            object["propertyNames"] = Self.names
            object["maxProperties"] = JSON(max)
        case .textChanges(let max, _):
            object["type"] = "object"
            object["additionalProperties"] = [
                "type": ["string", "null"], "maxLength": JSON(Self.textMax), "pattern": .string(Self.textPattern),
            ]
            object["propertyNames"] = Self.names
            object["maxProperties"] = JSON(max)
        case .object(let shape):
            object["type"] = "object"
            var properties = JSONObject()
            for field in shape.fields { properties[field.name] = field.schema.json }
            object["properties"] = .object(properties)
            let required = shape.fields.filter(\.isRequired).map { JSON.string($0.name) }
            if !required.isEmpty { object["required"] = .array(required) }
            object["additionalProperties"] = false
            if !shape.oneOf.isEmpty {
                object["oneOf"] = .array(shape.oneOf.map { ["required": [.string($0)]] })
            }
        }
        if let meaning = self.meaning { object["description"] = .string(meaning) }
        return .object(object)
    }

    /// No store can keep U+0000.
    private static let textPattern = #"^[^\u0000]*$"#
    private static let names: JSON = ["pattern": "^[A-Za-z][A-Za-z0-9]{0,63}$"]

    private var meaning: String? {
        let text =
            switch self {
            case .text(let rule): rule.meaning
            case .object(let shape): shape.meaning
            case .choice(_, let meaning), .integer(_, let meaning), .flag(let meaning), .list(_, _, let meaning),
                .texts(_, let meaning), .textChanges(_, let meaning), .anything(let meaning):
                meaning
            case .nullable, .named: ""
            }
        return text.isEmpty ? nil : text
    }
}
