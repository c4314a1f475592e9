//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Testing

@Suite struct FormMultipartTests {
    private func read(
        _ body: String, boundary: String = "xyz", limits: FormLimits = FormLimits()
    ) throws(FormError) -> FormFields {
        try FormFields(
            body: Array(body.replacing("\n", with: "\r\n").utf8),
            contentType: "multipart/form-data; boundary=\(boundary)", limits: limits)
    }

    private static func part(_ name: String, _ content: String) -> String {
        "--xyz\nContent-Disposition: form-data; name=\"\(name)\"\n\n\(content)\n"
    }

    @Test func readsPartsAsCurlWritesThem() throws {
        let boundary = "------------------------d74496d66958873e"
        let body = """
            --\(boundary)
            Content-Disposition: form-data; name="mid"

            12345
            --\(boundary)
            Content-Disposition: form-data; name="add_paydata[action]"
            Content-Type: text/plain; charset=UTF-8

            a=b&c
            d
            --\(boundary)--

            """
        let form = try self.read(body, boundary: boundary)
        #expect(form.names == ["mid", "add_paydata[action]"])
        #expect(form["mid"] == Array("12345".utf8))
        #expect(form["add_paydata[action]"] == Array("a=b&c\r\nd".utf8))
    }

    @Test func keepsEveryByteOfAPart() throws {
        let content: [UInt8] = Array(0...255) + [0x0D, 0x0A, 0x2D, 0x2D, 0x78, 0x0D, 0x0A, 0x0D]
        let head = Array("--xyz\r\ncontent-disposition:form-data;name=\"a\"; filename=f\r\n\r\n".utf8)
        let form = try FormFields(
            body: head + content + Array("\r\n--xyz--".utf8), contentType: "Multipart/Form-Data; Boundary=\"xyz\"",
            limits: FormLimits(allowsNUL: true))
        #expect(form["a"] == content)
    }

    @Test func takesEmptyPartsPreambleEpilogueAndBlanksBehindTheBoundary() throws {
        let body = "before\n--xyz \t\nContent-Disposition: form-data; name=a\n\n\n--xyz--\nafter --xyz"
        let form = try self.read(body)
        #expect(form.names == ["a"] && form["a"] == [])
        #expect(try self.read("--xyz--").names.isEmpty)
    }

    @Test func readsNamesWithQuotesAsBrowsersAndCurlWriteThem() throws {
        let body = Self.part("a%22b%0D%0Ac%41", "1") + Self.part("a\\\"b\\\\", "2") + "--xyz--"
        #expect(try self.read(body).names == ["a\"b\r\nc%41", "a\"b\\"])
        #expect(try self.read(Self.part("é", "1") + "--xyz--").names == ["é"])
    }

    @Test(arguments: ["", "xyz", "--xyz", "--xyz\n", "--abc\n\n--abc--", "--xyzContent", "-xyz--"])
    func refusesBodiesWithoutDelimiters(body: String) {
        #expect(throws: FormError.multipartMalformed) { try self.read(body) }
    }

    @Test(arguments: [
        "--xyz\nContent-Disposition: form-data; name=a\n\n1",
        "--xyz\nContent-Disposition: form-data; name=a\n\n1\n--xy",
        "--xyz\nContent-Disposition: form-data; name=a\n\n1\n--xyz", "--xyz\nContent-Disposition: form-data; name=a\n",
        "--xyz\nContent-Disposition: form-data; name=a\n\n1\n--xyzz\n", "--xyz\nContent-Disposition: form-data; name=a",
    ])
    func refusesBodiesThatAreCut(body: String) {
        #expect(throws: FormError.multipartMalformed) { try self.read(body) }
    }

    @Test(arguments: [
        "", "Content-Type: text/plain\n", "Content-Disposition: form-data\n", "Content-Disposition: form-data; name=\n",
        "Content-Disposition: attachment; name=a\n", "Content-Disposition: form-data; name=\"a\n",
        "Content-Disposition: form-data; name=a; name=b\n", "Content-Disposition form-data\n", "Content-Disposition:\n",
        "Content-Disposition: form-data; name=a\nContent-Disposition: form-data; name=b\n",
        "Content-Disposition: form-data; name=a\nContent-Transfer-Encoding: base64\n",
        "Content-Disposition: form-data; name=\"a\\\n", "Content-Disposition: form-data; name=\"a\"b\n",
    ])
    func refusesPartsWithoutAName(headers: String) {
        #expect(throws: FormError.partHeaderMalformed) { try self.read("--xyz\n\(headers)\n1\n--xyz--") }
    }

    @Test func takesTransferEncodingsThatChangeNothing() throws {
        for encoding in ["7bit", "8BIT", " binary "] {
            let headers = "Content-Disposition: form-data; name=a\nContent-Transfer-Encoding:\(encoding)\n"
            #expect(try self.read("--xyz\n\(headers)\n1\n--xyz--")["a"] == [0x31])
        }
    }

    @Test(arguments: [
        "multipart/form-data", "multipart/form-data; boundary=\"\"", "multipart/form-data; boundary=\"a \"",
        "multipart/form-data; boundary=\"a\\\"b\"", "multipart/form-data; boundary=a*b",
        "multipart/form-data; boundary=" + String(repeating: "a", count: 71),
    ])
    func refusesBoundariesThatAreNone(contentType: String) {
        #expect(throws: FormError.boundaryInvalid) { try FormFields(body: [], contentType: contentType) }
    }

    @Test func boundsPartsAndTheirHeaders() throws {
        let limits = FormLimits(fieldsMax: 1, nameBytesMax: 4, valueBytesMax: 4, partHeaderBytesMax: 60)
        #expect(try self.read(Self.part("abcd", "1234") + "--xyz--", limits: limits).names == ["abcd"])
        #expect(throws: FormError.tooManyFields(max: 1)) {
            try self.read(Self.part("a", "1") + Self.part("b", "1") + "--xyz--", limits: limits)
        }
        #expect(throws: FormError.nameTooLong(bytesMax: 4)) {
            try self.read(Self.part("abcde", "1") + "--xyz--", limits: limits)
        }
        #expect(throws: FormError.valueTooLong(bytesMax: 4)) {
            try self.read(Self.part("a", "12345") + "--xyz--", limits: limits)
        }
        #expect(throws: FormError.partHeadersTooLong(bytesMax: 60)) {
            try self.read(
                "--xyz\nX: 1\n" + "Content-Disposition: form-data; name=\"abcdefghijklmn\"\n\n1\n--xyz--",
                limits: limits)
        }
    }

    @Test func refusesRepeatedNames() {
        #expect(throws: FormError.repeatedField("a")) {
            try self.read(Self.part("a", "1") + Self.part("a", "1") + "--xyz--")
        }
    }
}
