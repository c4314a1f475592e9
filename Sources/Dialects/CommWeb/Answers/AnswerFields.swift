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

    /// The bytes of ``json``, without the tree: in their order the fields lie as they are written.
    func serialized() -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(2048)
        output.append(UInt8(ascii: "{"))
        var previous: String?
        let leaves = self.sorted
        for (index, leaf) in leaves.enumerated() {
            // Of a value and an object of one name the last stays, which is the object.
            if index + 1 < leaves.count, Self.isObject(leaf.path, of: leaves[index + 1].path) { continue }
            Self.open(leaf.path, after: previous, in: &output)
            leaf.value.write(to: &output)
            previous = leaf.path
        }
        if let previous { Self.close(previous, to: 0, in: &output) }
        output.append(UInt8(ascii: "}"))
        return output
    }

    /// Writes what stands between the value of one field and that of the next: the ends of objects, a comma, names.
    private static func open(_ path: String, after previous: String?, in output: inout [UInt8]) {
        var offset = 0
        if let previous {
            offset = self.commonLevels(previous, path)
            self.close(previous, to: offset, in: &output)
            output.append(UInt8(ascii: ","))
        }
        var path = path
        path.withUTF8 { bytes in
            while true {
                let end = bytes[offset...].firstIndex(of: self.dot)
                JSON.writeString(UnsafeBufferPointer(rebasing: bytes[offset..<(end ?? bytes.count)]), to: &output)
                output.append(UInt8(ascii: ":"))
                guard let end else { return }
                output.append(UInt8(ascii: "{"))
                offset = end + 1
            }
        }
    }

    /// Ends the objects that a path has opened after an offset.
    private static func close(_ path: String, to offset: Int, in output: inout [UInt8]) {
        var path = path
        path.withUTF8 { bytes in
            for byte in bytes[offset...] where byte == self.dot { output.append(UInt8(ascii: "}")) }
        }
    }

    /// Of two paths the bytes, dots included, of the names that both have before their last.
    private static func commonLevels(_ path: String, _ other: String) -> Int {
        var (path, other) = (path, other)
        return path.withUTF8 { bytes in
            other.withUTF8 { others in
                var (common, index) = (0, 0)
                while index < min(bytes.count, others.count), bytes[index] == others[index] {
                    index += 1
                    if bytes[index - 1] == self.dot { common = index }
                }
                return common
            }
        }
    }

    /// Whether a path goes through another.
    private static func isObject(_ name: String, of path: String) -> Bool {
        let count = name.utf8.count
        guard path.utf8.count > count else { return false }
        var path = path
        return path.withUTF8 { $0[count] == self.dot } && path.hasPrefix(name)
    }

    private static let dot = UInt8(ascii: ".")

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
            joined[count] = self.dot
            let rest = UnsafeMutableBufferPointer(rebasing: joined[(count + 1)...])
            return count + 1 + path.withUTF8 { rest.update(fromContentsOf: $0) }
        }
    }

    /// The name that begins at an offset, and whether it is the path's last.
    private static func name(in path: String, from offset: Int) -> (name: String, isLast: Bool) {
        var path = path
        return path.withUTF8 { bytes in
            let dot = bytes[offset...].firstIndex(of: self.dot)
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
