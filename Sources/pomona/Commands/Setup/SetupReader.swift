//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// What has been found wrong while a file was read. One for all readers of a file.
final class SetupProblems {
    private(set) var list: [SetupProblem] = []

    func add(_ problem: SetupProblem) { self.list.append(problem) }
}

/// Reads an object of a setup file. What is wrong with it is noted, with its place, and left out, so that the rest is read
/// too.
struct SetupReader {
    let object: JSONObject
    /// RFC 6901; empty for the whole file.
    let pointer: String
    let problems: SetupProblems

    /// - Parameter json: what is no object is read as an empty one.
    init(_ json: JSON, at pointer: String, _ problems: SetupProblems) {
        self.object = json.object ?? JSONObject()
        self.pointer = pointer
        self.problems = problems
        if json.object == nil {
            problems.add(
                SetupProblem(
                    pointer, CommandFailure.Code.setupMalformed.rawValue,
                    "\(pointer.isEmpty ? "The file" : pointer) must be an object."))
        }
    }

    func place(_ name: String) -> String { JSONPointer.member(name, of: self.pointer) }

    /// Notes that a member is not as it must be.
    ///
    /// - Parameter must: "must be …".
    func refuse(_ name: String, _ must: String) {
        self.problems.add(
            SetupProblem(
                self.place(name), CommandFailure.Code.setupMalformed.rawValue, "\(self.place(name)) \(must)."))
    }

    /// What is not known is refused: a misspelt name would else set nothing.
    func allow(_ names: Set<String>) {
        for unknown in self.object.names where !names.contains(unknown) {
            self.refuse(unknown, "is not known; there may be \(names.sorted().joined(separator: ", "))")
        }
    }

    /// `nil`, and noted, where it is missing.
    func requiredObject(_ name: String) -> SetupReader? {
        guard let json = self.object[name] else {
            self.refuse(name, "is missing")
            return nil
        }
        return SetupReader(json, at: self.place(name), self.problems)
    }

    /// Empty, and noted, where there is none.
    func text(_ name: String) -> String {
        if self.object[name] == nil { self.refuse(name, "is missing") }
        return self.optionalText(name) ?? ""
    }

    func optionalText(_ name: String) -> String? {
        guard let json = self.object[name] else { return nil }
        guard let text = json.string, !text.isEmpty else {
            self.refuse(name, "must be a text that is not empty")
            return nil
        }
        return text
    }

    func optionalNumber(_ name: String) -> Int? {
        guard let json = self.object[name] else { return nil }
        guard let number = json.integer, (1...1_000_000).contains(number) else {
            self.refuse(name, "must be a whole number from 1")
            return nil
        }
        return Int(number)
    }

    /// An object of texts; empty where there is none.
    func texts(_ name: String) -> [String: String] {
        guard let json = self.object[name] else { return [:] }
        let entries = SetupReader(json, at: self.place(name), self.problems)
        var texts: [String: String] = [:]
        for member in entries.object.members {
            if let text = member.value.string {
                texts[member.name] = text
            } else {
                entries.refuse(member.name, "must be a text")
            }
        }
        return texts
    }

    /// A list of objects; empty where there is none.
    func list<Value>(_ name: String, _ read: (SetupReader) -> Value) -> [Value] {
        guard let json = self.object[name] else { return [] }
        guard let array = json.array else {
            self.refuse(name, "must be a list")
            return []
        }
        return array.enumerated().map { index, element in
            read(SetupReader(element, at: JSONPointer.member("\(index)", of: self.place(name)), self.problems))
        }
    }
}
