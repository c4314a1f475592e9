//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Redaction
import Testing

/// RFC 7617, section 2.
struct BasicCredentialsTests {
    @Test(arguments: [
        // RFC 7617, sections 2 and 2.1.
        ("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Aladdin", "open sesame"),
        ("Basic dGVzdDoxMjPCow==", "test", "123£"),
        ("basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Aladdin", "open sesame"),
        ("BASIC   QWxhZGRpbjpvcGVuIHNlc2FtZQ== ", "Aladdin", "open sesame"),
        // "user:", ":password", ":" and "a:b:c": the first colon divides.
        ("Basic dXNlcjo=", "user", ""), ("Basic OnBhc3N3b3Jk", "", "password"), ("Basic Og==", "", ""),
        ("Basic YTpiOmM=", "a", "b:c"),
    ])
    func readsUserAndPassword(_ header: String, _ user: String, _ password: String) throws {
        let credentials = try #require(BasicCredentials(header: header))
        #expect(credentials.user == user)
        #expect(credentials.password.reveal() == password)
    }

    @Test(arguments: [
        "", "Basic", "Basic ", "QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Bearer QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
        "Digest username=\"a\"", "BasicQWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=",
        "Basic QWxhZGRpbjpvcGVu IHNlc2FtZQ==", "Basic !!!!", "Basic user:password",
        // "nocolon", and the Latin-1 bytes of "é:x".
        "Basic bm9jb2xvbg==", "Basic 6Tp4",
    ])
    func refusesWhatIsNone(_ header: String) {
        #expect(BasicCredentials(header: header) == nil)
    }

    @Test func readsCredentialsWithoutTheSchemesName() {
        #expect(BasicCredentials(base64: "YTpiOmM=")?.user == "a")
        #expect(BasicCredentials(base64: "Basic YTpiOmM=") == nil)
    }

    @Test func showsNoPassword() throws {
        let credentials = try #require(BasicCredentials(header: "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="))
        var text = "\(credentials) \(String(reflecting: credentials))"
        dump(credentials, to: &text)
        #expect(!text.contains("sesame"))
    }
}
