//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension JSON {
    /// The value as UTF-8 JSON without insignificant white space, members in their order. The same value always gives
    /// the same bytes.
    public func serialized() -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(512)
        self.write(to: &output)
        return output
    }

    /// Appends what ``serialized()`` gives, for a writer of larger texts.
    public func write(to output: inout [UInt8]) { self.write(to: &output, indentation: nil) }

    /// The value as a text: compact, or with two spaces of indentation for people to read.
    public func text(pretty: Bool = false) -> String {
        var output: [UInt8] = []
        self.write(to: &output, indentation: pretty ? 0 : nil)
        return String(decoding: output, as: UTF8.self)
    }

    private func write(to output: inout [UInt8], indentation: Int?) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let text): output.append(contentsOf: text.utf8)
        case .string(let text): JSON.writeString(text, to: &output)
        case .array(let elements):
            JSON.writeList(
                elements, brackets: (UInt8(ascii: "["), UInt8(ascii: "]")), to: &output, indentation: indentation
            ) {
                element, output, inner in
                element.write(to: &output, indentation: inner)
            }
        case .object(let object):
            JSON.writeList(
                object.members, brackets: (UInt8(ascii: "{"), UInt8(ascii: "}")), to: &output, indentation: indentation
            ) {
                member, output, inner in
                JSON.writeString(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                if inner != nil { output.append(UInt8(ascii: " ")) }
                member.value.write(to: &output, indentation: inner)
            }
        }
    }

    private static func writeList<Element>(
        _ elements: [Element], brackets: (open: UInt8, close: UInt8), to output: inout [UInt8], indentation: Int?,
        writeElement: (Element, inout [UInt8], Int?) -> Void
    ) {
        output.append(brackets.open)
        let inner = indentation.map { $0 + 1 }
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            JSON.writeLineBreak(to: &output, indentation: inner)
            writeElement(element, &output, inner)
        }
        if !elements.isEmpty { JSON.writeLineBreak(to: &output, indentation: indentation) }
        output.append(brackets.close)
    }

    private static func writeLineBreak(to output: inout [UInt8], indentation: Int?) {
        guard let indentation else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * 2))
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)

    /// RFC 8259, section 7: the quotation mark, the reverse solidus and the control characters must be escaped. What lies
    /// between them is copied in one piece.
    private static func writeString(_ text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { JSON.writeString($0, to: &output) }
    }

    /// - Parameter text: a string's UTF-8.
    public static func writeString(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var copied = 0
        for index in text.indices where text[index] < 0x20 || text[index] == 0x22 || text[index] == 0x5C {
            output.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied..<index]))
            JSON.writeEscaped(text[index], to: &output)
            copied = index + 1
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied...]))
        output.append(UInt8(ascii: "\""))
    }

    private static func writeEscaped(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        default:
            output.append(contentsOf: "u00".utf8)
            output.append(hexDigits[Int(byte >> 4)])
            output.append(hexDigits[Int(byte & 15)])
        }
    }
}
