//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import Radial

@Suite struct XMLWriterTests {
    @Test func writesElementsInLines() {
        let document = XMLWriter.document(
            XMLNode(
                "A", [XMLNode("B", [.init(name: "c", value: "1")], text: "x"), XMLNode("D", [XMLNode("E", text: "")])]))
        let expected = """
            <?xml version="1.0" encoding="UTF-8"?>
            <A xmlns="http://api.gsicommerce.com/schema/checkout/1.0">
              <B c="1">x</B>
              <D>
                <E></E>
              </D>
            </A>

            """
        #expect(String(decoding: document, as: UTF8.self) == expected)
    }

    @Test(arguments: ["<a>&\"'", "]]>", "a\r\nb\tc", "  blanks  ", "äöü 漢 🍎", "&lt;", ""])
    func whatIsWrittenIsReadAlike(text: String) throws {
        let document = XMLWriter.document(
            XMLNode("A", [XMLNode("B", [.init(name: "c", value: text)], text: text)]))
        let child = try #require(try XMLReader.read(document).child("B"))
        #expect(child.text == text && child.attributes["c"] == text)
    }

    @Test func replacesWhatXMLDoesNotAllow() throws {
        let document = XMLWriter.document(XMLNode("A", text: "a\0b\u{1B}c\u{FFFE}"))
        #expect(try XMLReader.read(document).text == "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
    }
}
