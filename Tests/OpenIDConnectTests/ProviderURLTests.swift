//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import OpenIDConnect

@Suite struct ProviderURLTests {
    @Test(arguments: [
        "https://login.example", "https://login.example:8443/realms/shop", "https://LOGIN.example/",
        "https://[::1]:9/x",
        "http://localhost:8080/realm", "http://127.0.0.1", "http://[::1]:80",
    ])
    func takesProtectedIssuers(_ text: String) { #expect(ProviderURL.isIssuer(text)) }

    @Test(arguments: [
        "", "login.example", "http://login.example", "http://localhost.login.example", "http://127.0.0.1.login.example",
        "http://localhost@login.example/", "https://user@login.example", "https://", "https://login.example/#x",
        "https://login.example/?x=1", "ftp://login.example", "https://login.example:", "https://login.example:80x",
        "https://log in.example", "https://login.example\\@evil.example", "https://[::1", "https://lögin.example",
        "https://\u{0}",
    ])
    func refusesIssuersThatAreNotProtectedOrAmbiguous(_ text: String) { #expect(!ProviderURL.isIssuer(text)) }

    @Test func refusesLongAddresses() {
        #expect(ProviderURL.isIssuer("https://login.example/" + String(repeating: "a", count: 2000)))
        #expect(!ProviderURL.isIssuer("https://login.example/" + String(repeating: "a", count: 2048)))
    }
}

@Suite struct Base64URLTests {
    @Test func decodesWhatItEncodesAndNothingElse() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 200) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
        #expect(Base64URL.encode([0xFB, 0xEF, 0xFF]) == "--__")
        for text in ["+/+/", "AA==", "A", "AB", "A A", "é"] { #expect(Base64URL.decode(text) == nil, "\(text)") }
    }
}
