//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import StrictJSON

/// The fields of an answer by their dotted paths, for whichever codec writes them.
///
/// A list, not a dictionary: an answer has some fifty fields, each is written once, and all are read once.
struct AnswerFields: Sendable {
    /// In the order of writing.
    private var leaves: [FieldLeaf] = []

    /// Setting `nil` leaves the field out.
    subscript(path: String) -> JSON? {
        get { self.leaves.last { $0.path == path }?.value }
        set {
            guard let newValue else { return self.leaves.removeAll { $0.path == path } }
            self.leaves.append((path, newValue))
        }
    }

    mutating func set(_ path: String, _ text: String?) {
        if let text { self.leaves.append((path, .string(text))) }
    }

    /// A number with the currency's decimals: 30.10.
    mutating func set(_ path: String, _ amount: Money) {
        self.leaves.append((path, .number(amount.decimalText)))
    }

    /// Every field of the others, under a prefix.
    mutating func merge(_ others: AnswerFields, under prefix: String = "") {
        guard !prefix.isEmpty else { return self.leaves.append(contentsOf: others.leaves) }
        for (path, value) in others.leaves { self.leaves.append((Self.join(prefix, path), value)) }
    }

    /// In the order of their paths. Of a field that was set again the last value.
    var sorted: [FieldLeaf] { self.leaves.inOrderOfPaths }

    /// The fields as nested objects, members in the order of their names.
    ///
    /// Names are letters and digits, all of which come after the dot, so that the order of the paths is that of the
    /// names on every level, and an object's fields stand together.
    var json: JSON {
        let leaves = self.sorted
        return Self.object(leaves, 0..<leaves.count, from: 0)
    }

    /// - Parameters:
    ///   - range: which of the leaves are this object's.
    ///   - offset: where in the paths, in bytes, the names of this level begin.
    private static func object(_ leaves: [FieldLeaf], _ range: Range<Int>, from offset: Int) -> JSON {
        var members: [(name: String, value: JSON)] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let (name, isLast) = self.name(in: leaves[index].path, from: offset)
            guard !isLast else {
                members.append((name, leaves[index].value))
                index += 1
                continue
            }
            let own = offset..<offset + name.utf8.count + 1
            var end = index + 1
            while end < range.upperBound, self.isSame(leaves[end].path, leaves[index].path, in: own) { end += 1 }
            members.append((name, self.object(leaves, index..<end, from: own.upperBound)))
            index = end
        }
        return .object(JSONObject(members))
    }

    // Paths are read as bytes: some forty of them are in every answer, and slices of texts would take longer than its
    // signature's check.

    private static func join(_ prefix: String, _ path: String) -> String {
        var (prefix, path) = (prefix, path)
        return String(unsafeUninitializedCapacity: prefix.utf8.count + 1 + path.utf8.count) { joined in
            let count = prefix.withUTF8 { joined.update(fromContentsOf: $0) }
            joined[count] = UInt8(ascii: ".")
            let rest = UnsafeMutableBufferPointer(rebasing: joined[(count + 1)...])
            return count + 1 + path.withUTF8 { rest.update(fromContentsOf: $0) }
        }
    }

    /// The name that begins at an offset, and whether it is the path's last.
    private static func name(in path: String, from offset: Int) -> (name: String, isLast: Bool) {
        var path = path
        return path.withUTF8 { bytes in
            let dot = bytes[offset...].firstIndex(of: UInt8(ascii: "."))
            return (String(decoding: bytes[offset..<(dot ?? bytes.count)], as: UTF8.self), dot == nil)
        }
    }

    /// Whether two paths have the same bytes in a range, which the second of them has.
    private static func isSame(_ path: String, _ other: String, in range: Range<Int>) -> Bool {
        guard path.utf8.count >= range.upperBound else { return false }
        var (path, other) = (path, other)
        return path.withUTF8 { bytes in
            other.withUTF8 { others in range.allSatisfy { bytes[$0] == others[$0] } }
        }
    }
}
