//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// The repository's files, as the checks read them.
struct Repository {
    struct File {
        /// From the repository's root: "Sources/Core/Money/Money.swift".
        let path: String
        let text: String

        var lines: [Substring] {
            self.text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Substring($0) }
        }

        /// Whether one of the texts occurs: far sooner said than by a regular expression, which need not look at the others.
        func mentions(_ texts: String...) -> Bool { Repository.mentions(texts, in: self.text) }
    }

    static func mentions(_ texts: [String], in text: some StringProtocol) -> Bool {
        text.withCString { bytes in texts.contains { strstr(bytes, $0) != nil } }
    }

    static let current = Repository(
        root: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent())

    let root: URL

    /// Files below a folder with one of the endings, sorted. Build products and hidden folders are passed over.
    func files(below folder: String, endings: [String]) -> [File] {
        let base = self.root.appending(path: folder)
        guard let walker = FileManager.default.enumerator(atPath: base.path) else { return [] }
        var files: [File] = []
        while let name = walker.nextObject() as? String {
            if name.hasPrefix(".") || name.contains("/.") {
                if name.hasSuffix(".build") { walker.skipDescendants() }
                continue
            }
            guard endings.contains(where: name.hasSuffix),
                let text = try? String(contentsOf: base.appending(path: name), encoding: .utf8)
            else { continue }
            files.append(File(path: folder.isEmpty ? name : "\(folder)/\(name)", text: text))
        }
        return files.sorted { $0.path < $1.path }
    }

    /// Folders directly below a folder.
    func folders(below folder: String) -> [String] {
        let base = self.root.appending(path: folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: base.path)) ?? []
        return names.sorted().filter { name in
            var isDirectory: ObjCBool = false
            return !name.hasPrefix(".")
                && FileManager.default.fileExists(atPath: base.appending(path: name).path, isDirectory: &isDirectory)
                && isDirectory.boolValue
        }
    }

    func text(_ path: String) -> String? {
        try? String(contentsOf: self.root.appending(path: path), encoding: .utf8)
    }

    var swiftSources: [File] { self.files(below: "Sources", endings: [".swift"]) }

    var allSwift: [File] {
        ["Sources", "Testing", "Tests", "Benchmarks", "examples"].flatMap { self.files(below: $0, endings: [".swift"]) }
    }

    var documents: [File] { self.files(below: "", endings: [".md"]) }
}
