//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The functions and initializers of a Swift file, with the lines of code that their bodies have.
struct SwiftFunction: Equatable {
    let name: String
    /// Where it is declared, from 1.
    let line: Int
    /// Between its braces, without blank lines and comments.
    let codeLinesCount: Int

    static func all(in text: String) -> [SwiftFunction] {
        let lines = SwiftCode(text).lines
        return lines.indices.compactMap { index in
            guard let name = self.name(in: lines[index]), let body = self.body(lines, from: index) else { return nil }
            let count = body.count { line in lines[line].contains { !self.isBlank($0) } }
            return SwiftFunction(name: name, line: index + 1, codeLinesCount: count)
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func name(in line: [UInt8]) -> String? {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        for (index, word) in words.enumerated() {
            if word == "func" { return words.count > index + 1 ? String(words[index + 1].prefix { $0 != "(" }) : nil }
            let head = word.prefix { $0.isLetter }
            if head == "init", "(?!<".contains(word.dropFirst(4).first ?? " ") { return "init" }
            // Modifiers and attributes alone stand before it.
            guard word.hasPrefix("@") || (word.allSatisfy(\.isLetter) && word.first?.isLowercase == true),
                !["return", "case", "let", "var", "self", "try", "await", "guard", "if"].contains(word)
            else { return nil }
        }
        return nil
    }

    /// The lines between the braces; `nil` for a declaration without a body.
    private static func body(_ lines: [[UInt8]], from first: Int) -> Range<Int>? {
        var (braces, parentheses, opening) = (0, 0, nil as Int?)
        for line in first..<lines.count {
            for byte in lines[line] {
                switch byte {
                case UInt8(ascii: "("): parentheses += 1
                case UInt8(ascii: ")"): parentheses -= 1
                case UInt8(ascii: "{"):
                    if braces == 0, parentheses == 0, opening == nil { opening = line }
                    braces += 1
                case UInt8(ascii: "}"):
                    braces -= 1
                    // The end of the protocol that asks for it.
                    if braces < 0 { return nil }
                    if let opening, braces == 0 { return min(opening + 1, line)..<line }
                default: break
                }
            }
            // A requirement of a protocol is followed by another one, or by a line of its own.
            if opening == nil, braces == 0, parentheses == 0, line > first || line + 1 < lines.count,
                line + 1 < lines.count, self.endsDeclaration(lines[line], next: lines[line + 1])
            {
                return nil
            }
        }
        return nil
    }

    private static func endsDeclaration(_ line: [UInt8], next: [UInt8]) -> Bool {
        let next = String(decoding: next, as: UTF8.self).drop { $0 == " " }
        let goesOn = ["{", "->", "async", "throws", "where", ")"].contains { next.hasPrefix($0) }
        return !goesOn && ![",", "->", "where"].contains { String(decoding: line, as: UTF8.self).hasSuffix($0) }
    }
}

/// The lines of a Swift file without comments and without what stands in string literals.
private struct SwiftCode {
    private enum Mode {
        /// Of code within parentheses that are open: those of an interpolation end with it.
        case code(open: Int)
        case string(isMultiline: Bool, hashes: Int)
    }

    private(set) var lines: [[UInt8]] = [[]]
    private let bytes: [UInt8]
    private var index = 0
    private var modes = [Mode.code(open: 0)]

    init(_ text: String) {
        self.bytes = Array(text.utf8)
        while self.index < self.bytes.count {
            switch self.modes[self.modes.count - 1] {
            case .code(let open): self.readCode(open)
            case .string(let isMultiline, let hashes): self.readString(isMultiline, hashes)
            }
        }
    }

    private func has(_ text: String) -> Bool { self.bytes[self.index...].starts(with: text.utf8) }

    private mutating func write(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") { self.lines.append([]) } else { self.lines[self.lines.count - 1].append(byte) }
    }

    private mutating func readCode(_ open: Int) {
        let byte = self.bytes[self.index]
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "("), UInt8(ascii: ")"): break
        default:
            self.index += 1
            return self.write(byte)
        }
        if self.has("//") {
            while self.index < self.bytes.count, self.bytes[self.index] != UInt8(ascii: "\n") { self.index += 1 }
            return
        }
        if self.has("/*") { return self.skipComment() }
        let hashes = self.bytes[self.index...].prefix { $0 == UInt8(ascii: "#") }.count
        if self.index + hashes < self.bytes.count, self.bytes[self.index + hashes] == UInt8(ascii: "\"") {
            self.index += hashes
            let isMultiline = self.has("\"\"\"")
            self.index += isMultiline ? 3 : 1
            self.modes.append(.string(isMultiline: isMultiline, hashes: hashes))
            return self.write(UInt8(ascii: "\""))
        }
        self.index += 1
        switch byte {
        case UInt8(ascii: "("): self.modes[self.modes.count - 1] = .code(open: open + 1)
        case UInt8(ascii: ")") where open == 0 && self.modes.count > 1:
            self.modes.removeLast()
            return
        case UInt8(ascii: ")"): self.modes[self.modes.count - 1] = .code(open: open - 1)
        default: break
        }
        self.write(byte)
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if self.has("/*") {
                depth += 1
                self.index += 2
            } else if self.has("*/") {
                depth -= 1
                self.index += 2
            } else {
                if self.bytes[self.index] == UInt8(ascii: "\n") { self.write(UInt8(ascii: "\n")) }
                self.index += 1
            }
        } while depth > 0 && self.index < self.bytes.count
    }

    private mutating func readString(_ isMultiline: Bool, _ hashes: Int) {
        let byte = self.bytes[self.index]
        guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
            self.write(byte == UInt8(ascii: "\n") || byte == UInt8(ascii: " ") ? byte : UInt8(ascii: "\""))
            self.index += 1
            return
        }
        let marks = String(repeating: "#", count: hashes)
        if self.has((isMultiline ? "\"\"\"" : "\"") + marks) {
            self.index += (isMultiline ? 3 : 1) + hashes
            self.modes.removeLast()
            self.write(UInt8(ascii: "\""))
        } else if self.has("\\" + marks + "(") {
            self.index += 2 + hashes
            self.modes.append(.code(open: 0))
        } else if hashes == 0, self.has("\\") {
            // A line of a literal is a line of code.
            self.write(UInt8(ascii: "\""))
            self.index += self.has("\\\n") ? 1 : 2
        } else {
            self.write(UInt8(ascii: "\""))
            self.index += 1
        }
    }
}
