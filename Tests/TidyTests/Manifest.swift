//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// The targets that Package.swift declares, read from its text: what is tested is what is written.
struct Manifest {
    struct Target {
        let name: String
        let folder: String
        /// In-house dependencies by name; products of packages by the shorthand that the manifest gives them
        /// (".crypto").
        let dependencies: [String]
    }

    private(set) var targets: [Target]

    init(_ text: String) throws {
        let room = try Regex(#"\.(?:room|tests)\(\s*"(\w+)",\s*in:\s*"([^"]+)"(?:,\s*\[([^\]]*)\])?"#)
        let program = try Regex(
            #"\.executableTarget\(\s*name:\s*"(\w+)",\s*dependencies:\s*\[([^\]]*)\],\s*path:\s*"([^"]+)""#)
        let rooms = text.matches(of: room).map { ($0.output[1], $0.output[2], $0.output[3]) }
        let programs = text.matches(of: program).map { ($0.output[1], $0.output[3], $0.output[2]) }
        let example = try Regex(#"\.example\("(\w+)",\s*\[([^\]]*)\]"#)
        let examples = text.matches(of: example).map { match in
            (name: String(match.output[1].substring ?? ""), dependencies: match.output[2].substring ?? "")
        }
        // Rooms that stand behind a shorthand, because they are for some systems only.
        let aliased = try Regex(#"static var (\w+): Self \{ \.target\(name: "(\w+)""#)
        let aliases = text.matches(of: aliased).map { match in
            ("." + (match.output[1].substring ?? ""), String(match.output[2].substring ?? ""))
        }
        let roomsByAlias = Dictionary(aliases, uniquingKeysWith: { first, _ in first })
        self.targets = (rooms + programs).map { name, folder, dependencies in
            Target(
                name: String(name.substring ?? ""), folder: String(folder.substring ?? ""),
                dependencies: Self.names(in: dependencies.substring ?? "").map { roomsByAlias[$0] ?? $0 })
        }
        self.targets += examples.map { example in
            Target(
                name: example.name, folder: "examples/swift/\(example.name)",
                dependencies: Self.names(in: example.dependencies).map { roomsByAlias[$0] ?? $0 })
        }
    }

    private static func names(in list: Substring) -> [String] {
        list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
            .map { $0.replacing("\"", with: "") }
    }

    /// The target whose folder holds a file.
    func target(of path: String) -> Target? {
        self.targets.filter { path.hasPrefix($0.folder + "/") }.max { $0.folder.count < $1.folder.count }
    }

    func target(named name: String) -> Target? { self.targets.first { $0.name == name } }
}
