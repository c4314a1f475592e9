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
///
/// They are kept in the order of their paths: some forty, which are looked up by halving, and written in that order.
struct RequestFields: Sendable {
    /// Ascending, no path twice.
    private var leaves: Redacted<[FieldLeaf]>
    /// Called with every path that is looked up: a test compares what the readers read with ``valuePaths``.
    var onRead: (@Sendable (String) -> Void)?

    init() {
        self.leaves = Redacted([])
    }

    init(leaves: [String: JSON]) {
        let filled = leaves.filter { !Self.isEmpty($0.value) }
        self.leaves = Redacted(filled.map { (path: $0.key, value: $0.value) }.inOrderOfPaths)
    }

    /// The longest path: as long as a name of a form. Without a bound, one long name over many members would take as
    /// much memory as all of them times its length.
    private static let pathBytesMax = 256

    /// A JSON object, flattened. Members whose name has a dot, or whose path is too long, are not fields and are left
    /// out.
    init(flattening object: JSONObject) {
        var leaves: [FieldLeaf] = []
        Self.collect(object, under: "", into: &leaves)
        self.leaves = Redacted(leaves.inOrderOfPaths)
    }

    var isEmpty: Bool { self.leaves.reveal().isEmpty }

    /// In their order.
    var paths: [String] { self.leaves.reveal().map(\.path) }

    /// The field as it is, unless it is left out.
    subscript(path: String) -> JSON? {
        self.onRead?(path)
        let leaves = self.leaves.reveal()
        let index = Self.index(of: path, in: leaves)
        guard index < leaves.count, leaves[index].path == path else { return nil }
        return leaves[index].value
    }

    func contains(_ path: String) -> Bool { self[path] != nil }

    /// Whether there is a field of that path or under it.
    func containsAny(under path: String) -> Bool {
        self.leaves.reveal().contains { $0.path == path || $0.path.hasPrefix(path + ".") }
    }

    /// These fields over others: where both have one, this one stands.
    func over(_ others: RequestFields) -> RequestFields {
        var merged = RequestFields()
        merged.leaves = Redacted((others.leaves.reveal() + self.leaves.reveal()).inOrderOfPaths)
        return merged
    }

    /// The fields whose path fits.
    func filter(_ isIncluded: (String) -> Bool) -> RequestFields {
        var filtered = self
        filtered.leaves = self.leaves.map { $0.filter { isIncluded($0.path) } }
        return filtered
    }

    /// With one field set, or removed.
    func setting(_ path: String, _ value: JSON?) -> RequestFields {
        var changed = self.filter { $0 != path }
        guard let value else { return changed }
        changed.leaves = changed.leaves.map { leaves in
            var leaves = leaves
            leaves.insert((path, value), at: Self.index(of: path, in: leaves))
            return leaves
        }
        return changed
    }

    /// All fields, in the order of their paths.
    var sorted: Redacted<[FieldLeaf]> { self.leaves }

    /// All fields in one text, the same for the same fields in whatever order.
    var canonical: Redacted<JSON> {
        self.leaves.map { leaves in .object(JSONObject(leaves.lazy.map { (name: $0.path, value: $0.value) })) }
    }

    /// Where the path stands or would have to.
    private static func index(of path: String, in leaves: [FieldLeaf]) -> Int {
        var lower = 0
        var upper = leaves.count
        while lower < upper {
            let middle = (lower + upper) / 2
            if leaves[middle].path < path { lower = middle + 1 } else { upper = middle }
        }
        return lower
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

    private static func collect(_ object: JSONObject, under prefix: String, into leaves: inout [FieldLeaf]) {
        for (name, value) in object.members where !name.utf8.contains(UInt8(ascii: ".")) {
            let path = prefix + name
            guard path.utf8.count <= self.pathBytesMax else { continue }
            if case .object(let inner) = value {
                self.collect(inner, under: path + ".", into: &leaves)
            } else if !self.isEmpty(value) {
                leaves.append((path, value))
            }
        }
    }
}
