//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

@testable import TapPay

/// A table of the vendor's, as it was taken over (Vectors/TapPay/SOURCE.md).
enum VendorTable: String, CaseIterable, Sendable {
    case server
    case web = "web-sdk"
    case ios = "ios-sdk"
    case android = "android-sdk"

    /// The file's rows: number and message; a message with a comma is quoted.
    func rows() throws -> [(code: Int, message: String)] {
        try SourceText.text(of: "Vectors/TapPay/\(self.rawValue)-error-codes.csv")
            .split(separator: "\n").dropFirst().compactMap { line in
                guard let comma = line.firstIndex(of: ","), let code = Int(line[..<comma]) else { return nil }
                let message = line[line.index(after: comma)...]
                let isQuoted = message.hasPrefix("\"") && message.hasSuffix("\"") && message.count > 1
                return (code, String(isQuoted ? message.dropFirst().dropLast() : message))
            }
    }
}

/// Who says of a number that it raises it.
enum Claims {
    /// By number: "server", "iOS SDK", "web SDK".
    static func all() throws -> [Int: [String]] {
        var claims: [Int: [String]] = [:]
        for code in TapPayCode.allCases { claims[code.rawValue, default: []].append("server") }
        for code in try self.ios() { claims[code, default: []].append("iOS SDK") }
        for code in try self.web() { claims[code, default: []].append("web SDK") }
        return claims
    }

    /// The cases of TPDirect's list of codes.
    private static func ios() throws -> Set<Int> {
        let numbers = try SourceText.matches(
            #"case [A-Za-z]+ = (-?[0-9]+)"#, in: SourceText.text(of: "Sources/TPDirect/Flow/TPDFailure.swift"))
        guard !numbers.isEmpty else { throw SourceText.Missing(what: "the codes of TPDirect for iOS") }
        return Set(numbers)
    }

    /// The entries of the web SDK's table that it raises itself.
    private static func web() throws -> Set<Int> {
        let numbers = try SourceText.matches(
            #"\[(-?[0-9]+), \{ message: .*raisedBy: raisedHere"#,
            in: SourceText.text(of: "Web/sdk/modules/codes.js"))
        guard !numbers.isEmpty else { throw SourceText.Missing(what: "the codes of TPDirect for the web") }
        return Set(numbers)
    }
}

/// Files of the repository.
enum SourceText {
    struct Missing: Error, CustomStringConvertible {
        let what: String
        var description: String { "not found: \(self.what)" }
    }

    private static let root: URL = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { url.deleteLastPathComponent() }
        return url
    }()

    static func text(of path: String) throws -> String {
        try String(contentsOf: self.root.appendingPathComponent(path), encoding: .utf8)
    }

    static func swift(under path: String, where isWanted: (String) -> Bool) throws -> [String] {
        try self.files(under: path, suffixes: [".swift"], where: isWanted)
    }

    static func files(
        under path: String, suffixes: [String], where isWanted: (String) -> Bool = { _ in true }
    ) throws -> [String] {
        let directory = self.root.appendingPathComponent(path)
        guard let names = FileManager.default.enumerator(atPath: directory.path) else { return [] }
        return try names.compactMap { $0 as? String }.map { "/" + $0 }
            .filter { name in suffixes.contains { name.hasSuffix($0) } && isWanted(name) }
            .map { try String(contentsOf: directory.appendingPathComponent($0), encoding: .utf8) }
    }

    /// The numbers that a pattern's group finds, line by line.
    static func matches(_ pattern: String, in text: String) throws -> [Int] {
        let regex = try Regex(pattern)
        return text.split(separator: "\n").compactMap { line in
            guard let match = line.firstMatch(of: regex), match.count > 1, let group = match[1].substring else {
                return nil
            }
            return Int(group)
        }
    }

    /// The cells of a Markdown page's tables; "\|" is a bar within a cell.
    static func tableRows(of path: String) throws -> [[String]] {
        try self.text(of: path).split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
            line.replacing("\\|", with: "\u{1}").split(separator: "|", omittingEmptySubsequences: false)
                .dropFirst().dropLast().map {
                    $0.replacing("\u{1}", with: "|").trimmingCharacters(in: .whitespaces)
                }
        }
    }
}
