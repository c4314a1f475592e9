//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The elements of an XML document that have nothing but a text, by their names without prefixes. Reads what a payment
/// service answers, and takes nothing that such an answer has no use for: document types, processing instructions after
/// the declaration, entities beyond the five.
///
/// What is read may be anybody's, so that everything is bounded: bytes, depth, elements. Nothing is expanded, fetched or
/// read twice.
public struct XMLReply: Sendable {
    /// The name of the root element.
    public let root: String
    private let leaves: [Leaf]
    private let groups: [Group]

    static let depthMax = 32
    static let bytesMax = 1 << 20
    static let elementsMax = 20_000

    /// An element that has nothing but a text.
    private struct Leaf {
        let name: String
        let text: String
        /// What stands behind the name in the tag.
        let attributes: Substring
    }

    /// An element that has others in it: which of the leaves.
    private struct Group {
        let name: String
        let leaves: Range<Int>
    }

    /// `nil` for what is no such document.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.bytesMax, let text = String(validating: bytes, as: UTF8.self),
            text.unicodeScalars.allSatisfy(Self.isCharacter)
        else { return nil }
        var scanner = Scanner(rest: text[...])
        guard scanner.readDocument(), let root = scanner.root else { return nil }
        self.init(root: root, scanner.leaves, scanner.groups)
    }

    private init(root: String, _ leaves: [Leaf], _ groups: [Group]) {
        self.root = root
        self.leaves = leaves
        self.groups = groups
    }

    /// The text of the first element of that name.
    public subscript(name: String) -> String? { self.leaves.first { $0.name == name }?.text }

    /// How many elements of that name have nothing but a text.
    public func count(of name: String) -> Int { self.leaves.count { $0.name == name } }

    /// An attribute of the first element of that name.
    public func attribute(_ attribute: String, of name: String) -> String? {
        guard let leaf = self.leaves.first(where: { $0.name == name }) else { return nil }
        return Scanner.value(of: attribute, in: leaf.attributes)
    }

    /// The elements of that name that have others in them, each as a document of its own; the document itself, where it
    /// is one.
    public func parts(named name: String) -> [XMLReply] {
        if self.root == name { return [self] }
        return self.groups.filter { $0.name == name }
            .map { XMLReply(root: name, Array(self.leaves[$0.leaves]), []) }
    }

    /// XML 1.0, section 2.2.
    private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

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
        var leaves: [Leaf] = []
        var groups: [Group] = []
        /// The open elements.
        private var open: [Open] = []
        private var elementsCount = 0

        private struct Open {
            let name: Substring
            let attributes: Substring
            /// How many leaves had been read before it.
            let leavesCount: Int
            var text = ""
            var hasChildren = false
        }

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
            self.elementsCount += 1
            guard var tag = self.take(upTo: ">"), self.open.count < XMLReply.depthMax,
                self.elementsCount <= XMLReply.elementsMax
            else { return false }
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
            self.open.append(
                Open(name: name, attributes: tag[name.endIndex...], leavesCount: self.leaves.count))
            return isEmpty ? self.close() : true
        }

        private mutating func readEnd() -> Bool {
            self.rest.removeFirst(2)
            guard let tag = self.take(upTo: ">"), let name = tag.split(whereSeparator: \.isWhitespace).first,
                self.open.last?.name == name
            else { return false }
            return self.close()
        }

        private mutating func close() -> Bool {
            guard let element = self.open.popLast() else { return false }
            let name = Self.local(element.name)
            if element.hasChildren {
                self.groups.append(Group(name: name, leaves: element.leavesCount..<self.leaves.count))
            } else {
                self.leaves.append(Leaf(name: name, text: element.text, attributes: element.attributes))
            }
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
            case _ where reference.hasPrefix("#x"): self.character(reference.dropFirst(2), radix: 16)
            case _ where reference.hasPrefix("#"): self.character(reference.dropFirst(), radix: 10)
            default: nil
            }
        }

        /// A character by its number, in no more digits than any has.
        private static func character(_ digits: Substring, radix: Int) -> Unicode.Scalar? {
            guard digits.utf8.count <= 7, digits.first != "+", let number = UInt32(digits, radix: radix),
                let scalar = Unicode.Scalar(number), XMLReply.isCharacter(scalar)
            else { return nil }
            return scalar
        }

        /// The value of an attribute; `nil` where there is none, or what stands there is not `name="value"`.
        static func value(of name: String, in attributes: Substring) -> String? {
            var rest = attributes.drop(while: \.isWhitespace)
            while let equals = rest.firstIndex(of: "=") {
                let found = rest[..<equals].split(whereSeparator: \.isWhitespace)
                let value = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
                guard found.count == 1, let quote = value.first, quote == "\"" || quote == "'",
                    let end = value.dropFirst().firstIndex(of: quote)
                else { return nil }
                if self.local(found[0]) == name { return self.resolved(value[..<end].dropFirst()) }
                rest = value[value.index(after: end)...].drop(while: \.isWhitespace)
            }
            return nil
        }
    }
}
