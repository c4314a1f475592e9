//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import StrictJSON

/// The fields of an answer by their dotted paths, for whichever codec writes them.
struct AnswerFields: Sendable {
    private var leaves: [String: JSON] = [:]

    /// Setting `nil` leaves the field out.
    subscript(path: String) -> JSON? {
        get { self.leaves[path] }
        set { self.leaves[path] = newValue }
    }

    mutating func set(_ path: String, _ text: String?) {
        self.leaves[path] = text.map(JSON.string)
    }

    /// A number with the currency's decimals: 30.10.
    mutating func set(_ path: String, _ amount: Money) {
        self.leaves[path] = .number(amount.decimalText)
    }

    /// Every field of the others, under a prefix.
    mutating func merge(_ others: AnswerFields, under prefix: String = "") {
        for (path, value) in others.leaves { self.leaves[prefix.isEmpty ? path : "\(prefix).\(path)"] = value }
    }

    /// In the order of their paths.
    var sorted: [(path: String, value: JSON)] {
        self.leaves.map { (path: $0.key, value: $0.value) }.sorted { $0.path < $1.path }
    }

    /// The fields as nested objects, members in the order of their names.
    var json: JSON {
        let entries = self.sorted.map { (parts: $0.path.split(separator: "."), value: $0.value) }
        return .object(Self.nested(entries[...], depth: 0))
    }

    private static func nested(
        _ entries: ArraySlice<(parts: [Substring], value: JSON)>, depth: Int
    ) -> JSONObject {
        var object = JSONObject()
        var rest = entries
        while let first = rest.first {
            let name = first.parts[depth]
            // Entries with a common beginning stand together, since the paths are sorted.
            let group = rest.prefix { $0.parts.count > depth && $0.parts[depth] == name }
            rest = rest.dropFirst(group.count)
            object[String(name)] =
                first.parts.count == depth + 1 ? first.value : .object(self.nested(group, depth: depth + 1))
        }
        return object
    }
}
