//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// An element to be written.
struct XMLNode: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case text(String)
        case children([XMLNode])
    }

    let name: String
    let attributes: [Attribute]
    let content: Content

    struct Attribute: Hashable, Sendable {
        let name: String
        let value: String
    }

    init(_ name: String, _ attributes: [Attribute] = [], text: String) {
        self.name = name
        self.attributes = attributes
        self.content = .text(text)
    }

    init(_ name: String, _ children: [XMLNode]) {
        self.init(name, [], .children(children))
    }

    init(_ name: String, _ attributes: [Attribute], _ content: Content) {
        self.name = name
        self.attributes = attributes
        self.content = content
    }
}

/// Writes a document in the service's namespace, an element on each line.
enum XMLWriter {
    static let namespace = "http://api.gsicommerce.com/schema/checkout/1.0"

    static func document(_ root: XMLNode) -> [UInt8] {
        let named = [XMLNode.Attribute(name: "xmlns", value: Self.namespace)] + root.attributes
        let node = XMLNode(root.name, named, root.content)
        var output = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
        self.write(node, depth: 0, to: &output)
        return output
    }

    private static func write(_ node: XMLNode, depth: Int, to output: inout [UInt8]) {
        let indentation = [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth)
        output += indentation
        output += "<\(node.name)".utf8
        for attribute in node.attributes { output += " \(attribute.name)=\"\(self.escaped(attribute.value))\"".utf8 }
        output.append(UInt8(ascii: ">"))
        switch node.content {
        case .text(let text): output += self.escaped(text).utf8
        case .children(let children):
            output.append(UInt8(ascii: "\n"))
            for child in children { self.write(child, depth: depth + 1, to: &output) }
            output += indentation
        }
        output += "</\(node.name)>\n".utf8
    }

    /// For text and for attributes alike. Line ends in attributes and carriage returns anywhere would not come back as
    /// they went, and what XML does not allow becomes the replacement character.
    static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "\r", "\n", "\t": output += "&#\(scalar.value);"
            case _ where !XMLCharacters.isAllowed(scalar): output += "\u{FFFD}"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
