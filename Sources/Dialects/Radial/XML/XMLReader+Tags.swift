//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Names, attributes, references and the declaration.

extension XMLReader {
    var byte: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

    func error(_ code: XMLError.Code) -> XMLError { XMLError(code, at: self.position) }

    func isAt(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { self.isAt($0) }
    }

    func isAt(_ expected: some Collection<UInt8>) -> Bool {
        self.bytes[self.position...].starts(with: expected)
    }

    mutating func skipWhiteSpace() {
        while let byte = self.byte, XMLCharacters.isWhiteSpace(byte) { self.position += 1 }
    }

    /// Goes behind the next occurrence of a text, or to the end if there is none.
    mutating func skip(past text: StaticString) -> Bool {
        while self.position < self.bytes.count {
            if self.isAt(text) {
                self.position += text.utf8CodeUnitCount
                return true
            }
            self.position += 1
        }
        return false
    }

    // MARK: - Names

    /// A name of ASCII characters, with at most one colon in its middle (Namespaces in XML 1.0, section 4).
    mutating func readName() throws(XMLError) -> ArraySlice<UInt8> {
        let start = self.position
        while let byte = self.byte, XMLCharacters.isNameCharacter(byte) { self.position += 1 }
        let name = self.bytes[start..<self.position]
        guard name.count <= self.limits.nameBytesMax else { throw XMLError(.nameTooLong, at: start) }
        let parts = Self.parts(of: name)
        guard parts.prefix.map(XMLCharacters.isNameStart) ?? true, XMLCharacters.isNameStart(parts.local),
            !parts.local.contains(UInt8(ascii: ":"))
        else { throw self.byte == nil ? self.error(.endsEarly) : XMLError(.nameMalformed, at: start) }
        return name
    }

    /// What stands before and behind the first colon of a name.
    private static func parts(of name: ArraySlice<UInt8>) -> (prefix: ArraySlice<UInt8>?, local: ArraySlice<UInt8>) {
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return (nil, name) }
        return (name[..<colon], name[(colon + 1)...])
    }

    /// The name without its prefix, and the namespace that the prefix stands for.
    func resolved(_ name: ArraySlice<UInt8>) throws(XMLError) -> (local: String, uri: String?) {
        let parts = Self.parts(of: name)
        let local = String(decoding: parts.local, as: UTF8.self)
        guard let prefix = parts.prefix else {
            return (local, self.bindings.last { $0.prefix.isEmpty }?.uri)
        }
        guard let binding = self.bindings.last(where: { $0.prefix == prefix }) else {
            throw self.error(.namespaceMalformed)
        }
        return (local, binding.uri)
    }

    // MARK: - Attributes

    /// The attributes up to the end of a start tag; namespace declarations become bindings.
    mutating func readAttributes() throws(XMLError) -> [String: String] {
        var names: [ArraySlice<UInt8>] = []
        var attributes: [String: String] = [:]
        while true {
            let start = self.position
            self.skipWhiteSpace()
            guard let byte = self.byte else { throw self.error(.endsEarly) }
            if byte == UInt8(ascii: ">") || self.isAt("/>") { return attributes }
            // Something must stand between attributes, and between them and the name.
            guard self.position > start else { throw self.error(.tagMalformed) }
            let name = try self.readName()
            let value = try self.readAttributeValue()
            guard !names.contains(name) else { throw XMLError(.duplicateAttribute, at: start) }
            guard names.count < self.limits.attributesMax else { throw XMLError(.tooManyAttributes, at: start) }
            names.append(name)
            if name.elementsEqual("xmlns".utf8) {
                self.bindings.append(Binding(prefix: [], uri: value.isEmpty ? nil : value))
            } else if name.starts(with: "xmlns:".utf8) {
                try self.bind(name.dropFirst(6), to: value)
            } else if !name.contains(UInt8(ascii: ":")) {
                attributes[String(decoding: name, as: UTF8.self)] = value
            }
        }
    }

    private mutating func bind(_ prefix: ArraySlice<UInt8>, to uri: String) throws(XMLError) {
        // The two are bound once and for all, and a prefix cannot be unbound (Namespaces in XML 1.0, sections 3 and 5).
        guard !uri.isEmpty, !prefix.elementsEqual("xml".utf8), !prefix.elementsEqual("xmlns".utf8) else {
            throw self.error(.namespaceMalformed)
        }
        self.bindings.append(Binding(prefix: prefix, uri: uri))
    }

    private mutating func readAttributeValue() throws(XMLError) -> String {
        self.skipWhiteSpace()
        guard self.byte == UInt8(ascii: "=") else { throw self.error(.attributeMalformed) }
        self.position += 1
        self.skipWhiteSpace()
        guard let quote = self.byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw self.error(self.byte == nil ? .endsEarly : .attributeMalformed)
        }
        self.position += 1
        var value: [UInt8] = []
        while let byte = self.byte, byte != quote {
            switch byte {
            case UInt8(ascii: "<"): throw self.error(.attributeMalformed)
            case UInt8(ascii: "&"): value += try self.readReference()
            default:
                // White space in a value is a blank (section 3.3.3).
                value.append(XMLCharacters.isWhiteSpace(byte) ? UInt8(ascii: " ") : byte)
                self.position += 1
            }
        }
        guard self.byte == quote else { throw self.error(.endsEarly) }
        self.position += 1
        return String(decoding: value, as: UTF8.self)
    }

    // MARK: - References

    /// What "&amp;" or "&#38;" stands for, as UTF-8.
    mutating func readReference() throws(XMLError) -> [UInt8] {
        let start = self.position
        self.position += 1
        let nameStart = self.position
        // The longest reference that can mean something is "&#x10FFFF;".
        while let byte = self.byte, byte != UInt8(ascii: ";"), self.position - nameStart < 9 { self.position += 1 }
        guard self.byte == UInt8(ascii: ";") else {
            throw self.byte == nil ? self.error(.endsEarly) : XMLError(.referenceMalformed, at: start)
        }
        let name = self.bytes[nameStart..<self.position]
        self.position += 1
        guard name.first == UInt8(ascii: "#") else {
            switch String(decoding: name, as: UTF8.self) {
            case "lt": return [UInt8(ascii: "<")]
            case "gt": return [UInt8(ascii: ">")]
            case "amp": return [UInt8(ascii: "&")]
            case "apos": return [UInt8(ascii: "'")]
            case "quot": return [UInt8(ascii: "\"")]
            default: throw XMLError(.unknownEntity, at: start)
            }
        }
        guard let scalar = XMLCharacters.scalar(ofReference: name.dropFirst()) else {
            throw XMLError(.referenceMalformed, at: start)
        }
        return Array(String(Character(scalar)).utf8)
    }

    // MARK: - The declaration

    /// `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`, which may be left out (section 2.8).
    mutating func readDeclaration() throws(XMLError) {
        guard self.isAt("<?xml"), self.position + 5 < self.bytes.count,
            XMLCharacters.isWhiteSpace(self.bytes[self.position + 5])
        else { return }
        let start = self.position
        self.position += 5
        var position = 0
        let names: [StaticString] = ["version", "encoding", "standalone"]
        while true {
            self.skipWhiteSpace()
            if self.isAt("?>") { break }
            guard let index = (position..<names.count).first(where: { self.isAt(names[$0]) }) else {
                throw XMLError(.declarationMalformed, at: start)
            }
            // The version must stand, and the three in this order.
            guard position > 0 || index == 0 else { throw XMLError(.declarationMalformed, at: start) }
            self.position += names[index].utf8CodeUnitCount
            let value = try self.readAttributeValue()
            if index == 0, value != "1.0" { throw XMLError(.versionNotSupported, at: start) }
            if index == 1, value.lowercased() != "utf-8" { throw XMLError(.encodingNotSupported, at: start) }
            if index == 2, value != "yes", value != "no" { throw XMLError(.declarationMalformed, at: start) }
            position = index + 1
        }
        guard position > 0 else { throw XMLError(.declarationMalformed, at: start) }
        self.position += 2
    }
}
