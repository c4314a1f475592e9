//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Testing

@Suite struct FormFieldsTests {
    static let urlEncoded = "application/x-www-form-urlencoded"

    private func read(_ body: String, limits: FormLimits = FormLimits()) throws(FormError) -> FormFields {
        try FormFields(body: Array(body.utf8), contentType: Self.urlEncoded, limits: limits)
    }

    @Test func keepsNamesInOrderAndBytesAsTheyAre() throws {
        let form = try self.read("b=1&a%5Bx%5D=%FF%01%41&c=&d&=e&&")
        #expect(form.names == ["b", "a[x]", "c", "d", ""])
        #expect(form["a[x]"] == [0xFF, 0x01, 0x41])
        #expect(form["c"] == [] && form["d"] == [] && form[""] == Array("e".utf8))
        #expect(form["A[x]"] == nil)
    }

    @Test func readsPlusAsABlankAndKeepsEqualsSignsOfValues() throws {
        let form = try self.read("a=1+2%2B3==")
        #expect(try form.text("a", as: .utf8) == "1 2+3==")
    }

    @Test func readsTheSameBytesInEitherCharset() throws {
        let form = try self.read("utf=M%C3%BCller&latin=M%FCller")
        #expect(try form.text("utf", as: .utf8) == "Müller")
        #expect(try form.text("utf", as: .latin1) == "MÃ¼ller")
        #expect(try form.text("latin", as: .latin1) == "Müller")
        #expect(throws: FieldError(path: "latin", problem: "must be text in UTF-8")) {
            try form.text("latin", as: .utf8)
        }
        #expect(try form.text("nothing", as: .utf8) == nil)
    }

    /// Texts that were made to be slow to compare.
    @Test func refusesEndlessMarks() throws {
        let form = try self.read("a=x" + String(repeating: "%CC%81", count: 31) + "&b=x%CC%81")
        #expect(throws: FieldError(path: "a", problem: "must be text in UTF-8")) { try form.text("a", as: .utf8) }
        #expect(try form.text("b", as: .utf8) == "x\u{301}")
    }

    /// What is looked for is found at every place of a step of eight bytes, and beside bytes that differ in one bit.
    @Test(arguments: 0..<20) func findsWhatIsEncodedWhereverItStands(_ place: Int) throws {
        let before = String(repeating: "$", count: place)
        for (encoded, value) in [("%2B", "+"), ("+", " "), ("%26", "&"), ("%3D", "=")] {
            let form = try self.read("\(before)n=\(before)\(encoded)'*,%24\(before)&z=\(before)")
            #expect(form["\(before)n"] == Array("\(before)\(value)'*,$\(before)".utf8))
            #expect(form["z"] == Array(before.utf8))
        }
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "%4=a", "a=%4g", "a=%%"])
    func refusesMalformedPercentEncoding(body: String) {
        #expect(throws: FormError.percentEncodingMalformed) { try self.read(body) }
    }

    @Test(arguments: ["a=\u{0}", "a\nb=1", "a=1\r\n", "\t=1", "a=\u{7F}", "a=1&b=\u{1B}"])
    func refusesControlCharactersThatAreNotEncoded(body: String) throws {
        #expect(throws: FormError.controlCharacter) { try self.read(body) }
        #expect(try self.read("a=%01%0A%7F")["a"] == [0x01, 0x0A, 0x7F])
    }

    @Test(arguments: ["a=%00", "a=1&b=2%003", "%00=1", "a%00b=1"])
    func refusesNULUnlessItIsAllowed(body: String) throws {
        #expect(throws: FormError.nulCharacter) { try self.read(body) }
        #expect(try !self.read(body, limits: FormLimits(allowsNUL: true)).names.isEmpty)
    }

    @Test(arguments: ["a=1&a=2", "a=1&b=2&%61=1", "a&a"])
    func refusesRepeatedNames(body: String) {
        #expect(throws: FormError.repeatedField("a")) { try self.read(body) }
    }

    @Test func boundsCountAndLengths() throws {
        let limits = FormLimits(fieldsMax: 2, nameBytesMax: 3, valueBytesMax: 4)
        #expect(try self.read("abc=1234&b=1", limits: limits).names.count == 2)
        #expect(throws: FormError.tooManyFields(max: 2)) { try self.read("a=1&b=2&c=3", limits: limits) }
        #expect(throws: FormError.nameTooLong(bytesMax: 3)) { try self.read("abcd=1", limits: limits) }
        #expect(throws: FormError.valueTooLong(bytesMax: 4)) { try self.read("a=12345", limits: limits) }
    }

    @Test(arguments: [
        nil, "", "text/plain", "application/json", "application/x-www-form-urlencodedx", "application",
        "application/x-www-form-urlencoded; charset", "multipart/mixed; boundary=x",
        "application/x-www-form-urlencoded; charset=a; charset=b",
    ])
    func refusesOtherMediaTypes(contentType: String?) {
        #expect(throws: FormError.mediaTypeNotSupported) { try FormFields(body: [], contentType: contentType) }
    }

    @Test(arguments: [
        ("Application/X-WWW-Form-URLEncoded", nil), ("application/x-www-form-urlencoded; charset=utf-8", "utf-8"),
        ("application/x-www-form-urlencoded ;  Charset=\"ISO-8859-1\" ;", "ISO-8859-1"),
    ])
    func readsTheMediaTypeInAnyCase(contentType: String, charset: String?) throws {
        let form = try FormFields(body: Array("a=1".utf8), contentType: contentType)
        #expect(form.charset == charset && form["a"] == [0x31])
    }

    /// Swift takes the Kelvin sign for a "K".
    @Test func namesAreComparedByTheirCodePoints() throws {
        let form = try self.read("K=1&%E2%84%AA=2")
        #expect(form["K"] == [0x31] && form["\u{212A}"] == [0x32])
        #expect(try self.read("%E2%84%AA=2")["K"] == nil)
    }

    @Test func showsNoValue() throws {
        let form = try self.read("card=4111111111111111")
        for text in ["\(form)", String(reflecting: form), "\(Mirror(reflecting: form).children.map { $0 })"] {
            #expect(!text.contains("4111"))
        }
        var dumped = ""
        dump(form, to: &dumped)
        #expect(!dumped.contains("4111") && dumped.contains("1 fields"))
    }

    @Test(arguments: [
        (FormError.mediaTypeNotSupported, "Content-Type"), (.boundaryInvalid, "boundary"),
        (.percentEncodingMalformed, "hexadecimal"), (.controlCharacter, "control character"),
        (.multipartMalformed, "delimited"),
        (.partHeaderMalformed, "Content-Disposition"), (.tooManyFields(max: 2), "2"),
        (.nameTooLong(bytesMax: 3), "3"), (.valueTooLong(bytesMax: 4), "4"), (.partHeadersTooLong(bytesMax: 5), "5"),
        (.repeatedField("add_paydata[action]"), "add_paydata[action]"), (.repeatedField("it[1]"), "it[1]"),
    ])
    func saysWhatWasWrong(error: FormError, word: String) {
        #expect(error.description.contains(word) && error.description.hasSuffix("."))
    }

    @Test(arguments: ["4111111111111111", "a b", "", "é", String(repeating: "a", count: 65)])
    func doesNotRepeatWhatIsNoName(name: String) {
        #expect(FormError.repeatedField(name).description == "A field stands in the form more than once.")
    }
}
