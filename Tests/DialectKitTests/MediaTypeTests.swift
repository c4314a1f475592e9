//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Testing

@Suite struct MediaTypeTests {
    @Test(arguments: [
        "application/json", "text/json", "Application/JSON", "application/json;charset=utf-8",
        "application/json; charset=UTF-8", "application/json ; charset=\"utf-8\"", "application/json; x=y",
        "application/json; CHARSET=utf-8; x=\"a;charset=latin1\"", "application/json;", " application/json ",
    ])
    func takesTheTypeInUTF8(_ text: String) {
        #expect(MediaType.isUTF8(text, "application/json", "text/json"))
    }

    @Test(arguments: [
        "", "application", "application/jsonp", "application/json5; charset=utf-8", "application/xml",
        "application/json; charset=ISO-8859-1", "application/json; charset=utf-16", "application/json; charset",
        "application/json; charset=utf-8; charset=utf-8", "application/json, text/plain",
        "application/json charset=utf-8",
        "application/json; charset=\"utf-8", ";application/json",
    ])
    func refusesOthers(_ text: String) {
        #expect(!MediaType.isUTF8(text, "application/json", "text/json"))
    }

    @Test func readsParameters() {
        let type = MediaType("Multipart/Form-Data; Boundary=\"a \\\"b\\\"\"; charset=UTF-8")
        #expect(type?.essence == "multipart/form-data")
        #expect(type?.parameters == ["boundary": "a \"b\"", "charset": "UTF-8"])
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded", true), ("Application/X-WWW-Form-Urlencoded; charset=UTF-8", true),
        ("application/x-www-form-urlencodedx", false), ("application/x-www-form-urlencoded, text/plain", false),
        ("multipart/form-data", false), ("", false),
    ])
    func formIsNothingThatOnlyBeginsSo(_ text: String, _ isForm: Bool) {
        #expect(MediaType.isForm(text) == isForm)
    }
}
