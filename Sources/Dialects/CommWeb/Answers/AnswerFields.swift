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
        for (path, value) in others.leaves { self.leaves.append((prefix + "." + path, value)) }
    }

    /// In the order of their paths. Of a field that was set again the last value.
    var sorted: [FieldLeaf] { self.leaves.inOrderOfPaths }

    /// The fields as nested objects, members in the order of their names.
    ///
    /// Names are letters and digits, all of which come after the dot, so that the order of the paths is that of the
    /// names on every level, and an object's fields stand together.
    var json: JSON { Self.object(self.sorted[...], from: 0) }

    /// - Parameter offset: where in the paths, in bytes, the names of this level begin.
    private static func object(_ leaves: ArraySlice<FieldLeaf>, from offset: Int) -> JSON {
        var members: [(name: String, value: JSON)] = []
        var rest = leaves
        while let first = rest.first {
            let name = self.name(in: first.path, from: offset)
            let next = offset + name.utf8.count + 1
            guard first.path.utf8.count >= next else {
                members.append((name, first.value))
                rest.removeFirst()
                continue
            }
            let end = rest.firstIndex { !self.share(next, $0.path, first.path) } ?? rest.endIndex
            members.append((name, self.object(rest[..<end], from: next)))
            rest = rest[end...]
        }
        return .object(JSONObject(members))
    }

    /// Whether two paths begin with the same bytes. Comparing characters of Unicode would cost more than all else that is
    /// done for an answer.
    private static func share(_ bytesCount: Int, _ path: String, _ other: String) -> Bool {
        var (path, other) = (path, other)
        return path.withUTF8 { bytes in
            other.withUTF8 { others in
                bytes.count >= bytesCount && others.count >= bytesCount
                    && bytes.prefix(bytesCount).elementsEqual(others.prefix(bytesCount))
            }
        }
    }

    private static func name(in path: String, from offset: Int) -> String {
        var path = path
        return path.withUTF8 { bytes in
            String(decoding: bytes.dropFirst(offset).prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)
        }
    }
}
