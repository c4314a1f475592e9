//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Testing

@Suite struct FormCharsetTests {
    @Test func everyByteIsALatin1Text() {
        let all = Array(UInt8(0)...255)
        #expect(Latin1.bytes(of: Latin1.text(all)) == all)
        #expect(Latin1.text([0x4D, 0xFC]) == "Mü")
    }

    @Test(
        arguments: [
            ("Müller", [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72]), ("u\u{308}", [0xFC]), ("A\u{30A}\u{212B}", [0xC5, 0xC5]),
            ("€", [0x3F]), ("Łódź", [0x3F, 0xF3, 0x64, 0x3F]), ("🍎a", [0x3F, 0x61]), ("x\u{301}", [0x78, 0x3F]),
            ("\r\n", [0x0D, 0x0A]), ("", []),
        ] as [(String, [UInt8])])
    func writesWhatLatin1HasAndAQuestionMarkForTheRest(text: String, bytes: [UInt8]) {
        #expect(Latin1.bytes(of: text) == bytes)
    }

    @Test(arguments: [
        ("UTF-8", FormCharset.utf8), ("utf8", .utf8), ("ISO-8859-1", .latin1), ("iso-8859-1", .latin1),
        ("latin1", .latin1), ("US-ASCII", .latin1), ("UTF-16", nil), ("", nil), ("ISO-8859-15", nil),
    ])
    func knowsItsLabels(label: String, charset: FormCharset?) {
        #expect(FormCharset(label: label) == charset)
    }

    @Test func writesTheFieldsInTheirOrder() {
        let fields = [(name: "b", value: "ä &=+%*-._~"), (name: "a[1]", value: "")]
        #expect(FormWriter.urlEncoded(fields) == Array("b=%C3%A4+%26%3D%2B%25*-._%7E&a%5B1%5D=".utf8))
        #expect(FormWriter.urlEncoded(fields.prefix(1), as: .latin1) == Array("b=%E4+%26%3D%2B%25*-._%7E".utf8))
        #expect(FormWriter.urlEncoded([(name: String, value: String)]()).isEmpty)
    }
}
