//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Redaction
import StrictJSON

/// The fields of a request by their dotted paths ("order.amount"), whichever codec read them.
///
/// Only leaves stand here: an object that holds nothing is no field, and neither is `null` or an empty text, so that
/// clients may send the empty shells of what they leave out. Among the values are card numbers and tokens: they are
/// shown to nobody.
struct RequestFields: Sendable {
    private var leaves: Redacted<[String: JSON]>

    init() {
        self.leaves = Redacted([:])
    }

    init(leaves: [String: JSON]) {
        self.leaves = Redacted(leaves.filter { !Self.isEmpty($0.value) })
    }

    /// The longest path: as long as a name of a form. Without a bound, one long name over many members would take as
    /// much memory as all of them times its length.
    private static let pathBytesMax = 256

    /// A JSON object, flattened. Members whose name has a dot, or whose path is too long, are not fields and are left
    /// out.
    init(flattening object: JSONObject) {
        var leaves: [String: JSON] = [:]
        Self.collect(object, under: "", into: &leaves)
        self.leaves = Redacted(leaves)
    }

    var isEmpty: Bool { self.leaves.reveal().isEmpty }

    /// In the order of their text.
    var paths: [String] { self.leaves.reveal().keys.sorted() }

    /// The field as it is, unless it is left out.
    subscript(path: String) -> JSON? { self.leaves.reveal()[path] }

    func contains(_ path: String) -> Bool { self[path] != nil }

    /// Whether there is a field of that path or under it.
    func containsAny(under path: String) -> Bool {
        self.leaves.reveal().keys.contains { $0 == path || $0.hasPrefix(path + ".") }
    }

    /// These fields over others: where both have one, this one stands.
    func over(_ others: RequestFields) -> RequestFields {
        var merged = RequestFields()
        merged.leaves = Redacted(others.leaves.reveal().merging(self.leaves.reveal()) { $1 })
        return merged
    }

    /// The fields whose path fits.
    func filter(_ isIncluded: (String) -> Bool) -> RequestFields {
        var filtered = RequestFields()
        filtered.leaves = self.leaves.map { $0.filter { isIncluded($0.key) } }
        return filtered
    }

    /// With one field set, or removed.
    func setting(_ path: String, _ value: JSON?) -> RequestFields {
        var changed = self
        changed.leaves = self.leaves.map { leaves in
            var leaves = leaves
            leaves[path] = value
            return leaves
        }
        return changed
    }

    /// All fields, in the order of their paths.
    var sorted: Redacted<[(path: String, value: JSON)]> {
        self.leaves.map { leaves in leaves.map { (path: $0.key, value: $0.value) }.sorted { $0.path < $1.path } }
    }

    /// All fields in one text, the same for the same fields in whatever order.
    var canonical: Redacted<JSON> {
        self.sorted.map { leaves in .object(JSONObject(leaves.lazy.map { (name: $0.path, value: $0.value) })) }
    }

    private static func isEmpty(_ value: JSON) -> Bool {
        switch value {
        case .null: true
        case .string(let text): text.isEmpty
        case .object(let object): object.isEmpty
        case .array(let elements): elements.isEmpty
        case .bool, .number: false
        }
    }

    private static func collect(_ object: JSONObject, under prefix: String, into leaves: inout [String: JSON]) {
        for (name, value) in object.members where !name.utf8.contains(UInt8(ascii: ".")) {
            let path = prefix + name
            guard path.utf8.count <= self.pathBytesMax else { continue }
            if case .object(let inner) = value {
                self.collect(inner, under: path + ".", into: &leaves)
            } else if !self.isEmpty(value) {
                leaves[path] = value
            }
        }
    }
}
