//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// Reads an XML 1.0 document (fifth edition) in UTF-8 into its elements, and refuses what a payment message has no use
/// for: document types, processing instructions, entities beyond the five, names beyond ASCII.
///
/// It takes no step but forward, keeps its own stack, and stops at the bounds of ``XMLLimits``: no bytes make it
/// recurse, loop or trap.
struct XMLReader {
    struct OpenElement {
        /// The name with its prefix, as the end tag must repeat it.
        let tag: ArraySlice<UInt8>
        var element: XMLElement
        var text: [UInt8] = []
        /// How many bindings stood before its own.
        let bindingsCount: Int
    }

    struct Binding {
        /// Empty for the default namespace.
        let prefix: ArraySlice<UInt8>
        /// `nil` where `xmlns=""` takes the default away.
        let uri: String?
    }

    let bytes: [UInt8]
    let limits: XMLLimits
    var position = 0
    var bindings: [Binding] = []
    private var open: [OpenElement] = []
    private var root: XMLElement?
    private var elementsCount = 0

    private init(_ bytes: [UInt8], _ limits: XMLLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// The root element of a document.
    static func read(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) throws(XMLError) -> XMLElement {
        guard bytes.count <= limits.bytesMax else { throw XMLError(.tooLarge, at: limits.bytesMax) }
        try XMLCharacters.check(bytes)
        var reader = XMLReader(bytes, limits)
        return try reader.readDocument()
    }

    private mutating func readDocument() throws(XMLError) -> XMLElement {
        // The byte order mark, which UTF-8 does not need and some editors write.
        if self.isAt([0xEF, 0xBB, 0xBF]) { self.position += 3 }
        try self.readDeclaration()
        try self.readMiscellaneous()
        guard self.byte == UInt8(ascii: "<") else { throw self.error(.noRootElement) }
        try self.readMarkup()
        while self.root == nil { try self.readContent() }
        try self.readMiscellaneous()
        guard let root, self.position == self.bytes.count else { throw self.error(.contentAfterRoot) }
        return root
    }

    /// White space and comments, which may stand before and after the root element (section 2.8).
    private mutating func readMiscellaneous() throws(XMLError) {
        while true {
            self.skipWhiteSpace()
            if self.isAt("<!--") {
                try self.readComment()
            } else if self.isAt("<?") {
                throw self.error(.processingInstruction)
            } else if self.isAt("<!DOCTYPE") {
                throw self.error(.documentType)
            } else {
                return
            }
        }
    }

    // MARK: - Content

    private mutating func readContent() throws(XMLError) {
        guard let byte = self.byte else { throw self.error(.endsEarly) }
        switch byte {
        case UInt8(ascii: "<"): try self.readMarkup()
        case UInt8(ascii: "&"): self.append(try self.readReference())
        case UInt8(ascii: "]") where self.isAt("]]>"): throw self.error(.sectionMalformed)
        default:
            let start = self.position
            while let byte = self.byte, byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&"),
                byte != UInt8(ascii: "]") || !self.isAt("]]>")
            {
                self.position += 1
            }
            self.append(XMLCharacters.normalizingLineEnds(self.bytes[start..<self.position]))
        }
    }

    private mutating func append(_ text: [UInt8]) {
        guard !self.open.isEmpty else { return }
        let last = self.open.count - 1
        if self.open[last].text.isEmpty {
            self.open[last].text = text
        } else {
            self.open[last].text += text
        }
    }

    private mutating func readMarkup() throws(XMLError) {
        if self.isAt("</") {
            try self.readEndTag()
        } else if self.isAt("<!--") {
            try self.readComment()
        } else if self.isAt("<![CDATA[") {
            try self.readSection()
        } else if self.isAt("<!") {
            throw self.error(.documentType)
        } else if self.isAt("<?") {
            throw self.error(.processingInstruction)
        } else {
            try self.readStartTag()
        }
    }

    private mutating func readComment() throws(XMLError) {
        self.position += 4
        // "--" may stand in a comment only as its end (section 2.5).
        guard self.skip(past: "--") else { throw self.error(.endsEarly) }
        guard self.byte == UInt8(ascii: ">") else { throw self.error(.commentMalformed) }
        self.position += 1
    }

    private mutating func readSection() throws(XMLError) {
        guard !self.open.isEmpty else { throw self.error(.noRootElement) }
        self.position += 9
        let start = self.position
        guard self.skip(past: "]]>") else { throw self.error(.endsEarly) }
        self.append(XMLCharacters.normalizingLineEnds(self.bytes[start..<(self.position - 3)]))
    }

    // MARK: - Tags

    private mutating func readStartTag() throws(XMLError) {
        self.elementsCount += 1
        guard self.open.count < self.limits.depthMax else { throw self.error(.tooDeep) }
        guard self.elementsCount <= self.limits.elementsMax else { throw self.error(.tooManyElements) }
        self.position += 1
        let tag = try self.readName()
        let bindingsCount = self.bindings.count
        let attributes = try self.readAttributes()
        let name = try self.resolved(tag)
        let element = OpenElement(
            tag: tag, element: XMLElement(name: name.local, namespace: name.uri, attributes: attributes),
            bindingsCount: bindingsCount)
        if self.isAt("/>") {
            self.position += 2
            try self.close(element)
        } else {
            // readAttributes has come to one of the two.
            self.position += 1
            self.open.append(element)
        }
    }

    private mutating func readEndTag() throws(XMLError) {
        let start = self.position
        self.position += 2
        let tag = try self.readName()
        self.skipWhiteSpace()
        guard self.byte == UInt8(ascii: ">") else { throw self.error(self.byte == nil ? .endsEarly : .tagMalformed) }
        self.position += 1
        guard let element = self.open.popLast(), element.tag == tag else { throw XMLError(.endTagDiffers, at: start) }
        try self.close(element)
    }

    private mutating func close(_ closed: OpenElement) throws(XMLError) {
        var element = closed.element
        element.text = String(decoding: closed.text, as: UTF8.self)
        // References have become characters only now.
        if closed.text.contains(where: { $0 >= 0x80 }), !element.text.isStreamSafe {
            throw XMLError(.characterNotAllowed, at: self.position)
        }
        self.bindings.removeLast(self.bindings.count - closed.bindingsCount)
        if self.open.isEmpty {
            self.root = element
        } else {
            self.open[self.open.count - 1].element.children.append(element)
        }
    }
}
