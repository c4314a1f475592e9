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
        var root = Branch()
        for (path, value) in self.leaves { root.insert(value, at: path[...]) }
        return root.json
    }
}

/// An object under way: its members by name.
private struct Branch {
    private var leaves: [(name: Substring, value: JSON)] = []
    private var branches: [(name: Substring, branch: Branch)] = []

    mutating func insert(_ value: JSON, at path: Substring) {
        guard let dot = path.utf8.firstIndex(of: UInt8(ascii: ".")) else {
            self.leaves.append((path, value))
            return
        }
        let name = path[..<dot]
        let rest = path[path.utf8.index(after: dot)...]
        if let index = self.branches.firstIndex(where: { $0.name == name }) {
            self.branches[index].branch.insert(value, at: rest)
        } else {
            var branch = Branch()
            branch.insert(value, at: rest)
            self.branches.append((name, branch))
        }
    }

    var json: JSON {
        var members = self.leaves
        for (name, branch) in self.branches { members.append((name, branch.json)) }
        members.sort { $0.name < $1.name }
        return .object(JSONObject(members.lazy.map { (name: String($0.name), value: $0.value) }))
    }
}
