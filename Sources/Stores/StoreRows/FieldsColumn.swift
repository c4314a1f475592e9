//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// Names and texts in one column: a JSON object of strings, its names sorted.
public enum FieldsColumn {
    /// Nothing where there are no fields.
    public static func text(_ fields: [String: String]) -> String? {
        fields.isEmpty ? nil : self.object(fields)
    }

    public static func object(_ fields: [String: String]) -> String {
        var object = JSONObject()
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { object[name] = .string(value) }
        return JSON.object(object).text()
    }

    /// - Returns: `nil` for what is no JSON object of strings.
    public static func fields(_ text: String) -> [String: String]? {
        guard let object = (try? JSON.parse(text))?.object else { return nil }
        var fields: [String: String] = [:]
        for (name, value) in object.members {
            guard let value = value.string else { return nil }
            fields[name] = value
        }
        return fields
    }
}
