//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The elements of an XML document that have nothing but a text, by their names without prefixes. Reads what a payment
/// service answers, and takes nothing that such an answer has no use for: document types, processing instructions after
/// the declaration, entities beyond the five.
public struct XMLReply: Sendable {
    /// The name of the root element.
    public let root: String
    private let texts: [(name: String, text: String)]

    static let depthMax = 32
    static let bytesMax = 1 << 20

    /// `nil` for what is no such document.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.bytesMax, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var scanner = Scanner(rest: text[...])
        guard scanner.readDocument(), let root = scanner.root else { return nil }
        self.root = root
        self.texts = scanner.texts
    }

    /// The text of the first element of that name.
    public subscript(name: String) -> String? { self.texts.first { $0.name == name }?.text }

    /// The text as it may stand in an element or an attribute.
    static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            // XML 1.0, section 2.2 has no other control characters.
            case "\t", "\n", "\r": output += "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                output.unicodeScalars.append("\u{FFFD}")
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }

    private struct Scanner {
        var rest: Substring
        var root: String?
        var texts: [(name: String, text: String)] = []
        /// The open elements: the tag, the text so far, and whether it has elements in it.
        private var open: [(tag: Substring, text: String, hasChildren: Bool)] = []

        init(rest: Substring) { self.rest = rest }

        mutating func readDocument() -> Bool {
            if self.rest.first == "\u{FEFF}" { self.rest.removeFirst() }
            if self.rest.hasPrefix("<?xml ") {
                guard self.take(upTo: "?>") != nil else { return false }
            }
            while !self.rest.isEmpty {
                guard self.readPiece() else { return false }
            }
            return self.open.isEmpty && self.root != nil
        }

        private mutating func readPiece() -> Bool {
            if self.rest.hasPrefix("<!--") { return self.take(upTo: "-->") != nil }
            if self.rest.hasPrefix("<![CDATA[") {
                self.rest.removeFirst(9)
                guard let section = self.take(upTo: "]]>") else { return false }
                return self.append(String(section))
            }
            if self.rest.hasPrefix("<!") || self.rest.hasPrefix("<?") { return false }
            if self.rest.hasPrefix("</") { return self.readEnd() }
            if self.rest.first == "<" { return self.readStart() }
            let text = self.rest.prefix { $0 != "<" }
            self.rest = self.rest[text.endIndex...]
            return Self.resolved(text).map { self.append($0) } ?? false
        }

        /// Text outside of the root may be white space alone.
        private mutating func append(_ text: String) -> Bool {
            guard !self.open.isEmpty else { return text.allSatisfy(\.isWhitespace) }
            self.open[self.open.count - 1].text += text
            return true
        }

        private mutating func readStart() -> Bool {
            self.rest.removeFirst()
            // No ">" stands in attributes' values here: the writers that are read escape it.
            guard var tag = self.take(upTo: ">"), self.open.count < XMLReply.depthMax else { return false }
            let isEmpty = tag.last == "/"
            if isEmpty { tag.removeLast() }
            let name = tag.prefix { !$0.isWhitespace }
            guard let first = name.first, first.isLetter || first == "_", !tag.contains("<") else { return false }
            if self.open.isEmpty {
                guard self.root == nil else { return false }
                self.root = Self.local(name)
            } else {
                self.open[self.open.count - 1].hasChildren = true
            }
            self.open.append((name, "", false))
            return isEmpty ? self.close() : true
        }

        private mutating func readEnd() -> Bool {
            self.rest.removeFirst(2)
            guard let tag = self.take(upTo: ">"), let name = tag.split(whereSeparator: \.isWhitespace).first,
                self.open.last?.tag == name
            else { return false }
            return self.close()
        }

        private mutating func close() -> Bool {
            guard let element = self.open.popLast() else { return false }
            if !element.hasChildren { self.texts.append((Self.local(element.tag), element.text)) }
            return true
        }

        /// What stands before an end, which is taken too.
        private mutating func take(upTo end: String) -> Substring? {
            guard let range = self.rest.firstRange(of: end) else { return nil }
            defer { self.rest = self.rest[range.upperBound...] }
            return self.rest[..<range.lowerBound]
        }

        private static func local(_ name: Substring) -> String {
            String(name.split(separator: ":").last ?? name)
        }

        private static func resolved(_ text: Substring) -> String? {
            guard text.contains("&") else { return String(text) }
            var output = ""
            var rest = text
            while let start = rest.firstIndex(of: "&") {
                output += rest[..<start]
                guard let end = rest[start...].firstIndex(of: ";"),
                    let scalar = self.scalar(rest[rest.index(after: start)..<end])
                else { return nil }
                output.unicodeScalars.append(scalar)
                rest = rest[rest.index(after: end)...]
            }
            return output + rest
        }

        private static func scalar(_ reference: Substring) -> Unicode.Scalar? {
            switch reference {
            case "amp": "&"
            case "lt": "<"
            case "gt": ">"
            case "quot": "\""
            case "apos": "'"
            case _ where reference.hasPrefix("#x"):
                UInt32(reference.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
            case _ where reference.hasPrefix("#"): UInt32(reference.dropFirst()).flatMap(Unicode.Scalar.init)
            default: nil
            }
        }
    }
}
