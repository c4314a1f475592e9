//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Foundation
import Testing

@Suite struct Base64Tests {
    @Test func base64AgreesWithFoundation() {
        for length in 0..<200 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + length) }
            let text = Data(bytes).base64EncodedString()
            #expect(Base64.encode(bytes) == text)
            #expect(Base64.decode(text, padding: .required) == bytes)
            #expect(Base64.decode(text, padding: .optional) == bytes)
            let unpadded = String(text.prefix { $0 != "=" })
            #expect(Base64.decode(unpadded, padding: .optional) == bytes)
            if unpadded != text { #expect(Base64.decode(unpadded, padding: .required) == nil) }
        }
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AAAAA", "=", "==", "===", "====", "A===", "AA=", "AAA==", "AA=A", "=AAA", "AA==AAAA",
        "AAAA====",
        "AAAA=", "AAAA==", "AA A", "AAAA\n", " AAAA", "AAAA ", "AA\nAA", "AA-_", "AA+\u{0}", "AAÄA", "AAAÄ",
        "A\u{301}AA=",
    ])
    func refusesMalformedBase64(_ text: String) {
        #expect(Base64.decode(text, padding: .required) == nil)
    }

    @Test(arguments: ["A", "AAAAA", "AA=", "AAAAA=", "A A", "AA\n", "-_", "="])
    func refusesMalformedBase64WithoutPadding(_ text: String) {
        #expect(Base64.decode(text, padding: .optional) == nil)
    }

    @Test(arguments: ["AB==", "AAB=", "AB", "AAB", "AAAAAB==", "//9="])
    func refusesLeftoverBitsInBase64(_ text: String) {
        #expect(Base64.decode(text, padding: .optional) == nil)
        #expect(Base64.decode(text, padding: .required) == nil)
    }

    @Test func everyForeignCharacterIsRefusedAtEveryPlace() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for byte in UInt8.min...UInt8.max where !alphabet.contains(byte) {
            for place in 0..<8 {
                var text = Array("QUJDREVG".utf8)
                text[place] = byte
                // A padding character in the last places is another text, not a foreign character.
                if byte == UInt8(ascii: "="), place >= 6 { continue }
                #expect(Base64.decode(String(decoding: text, as: UTF8.self)) == nil)
            }
        }
    }
}
