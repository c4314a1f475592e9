//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Foundation
import Testing
import Time

@testable import ApplePayToken

@Suite struct EncodingTests {
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
                #expect(text.withUnsafeBufferPointer { Base64.decode($0, padding: .required) } == nil)
            }
        }
    }

    @Test func hexKeepsLeadingZeros() {
        #expect(Hex.decode("00000Aff") == [0, 0, 0x0A, 0xFF])
        #expect(Hex.encode([0, 0, 0x0A, 0xFF]) == "00000aff")
        #expect(Hex.decode("") == [])
    }

    @Test(arguments: ["0", "0g", "0x00", " 00", "00 ", "0\u{0}", "é0", "-1", "+1"])
    func refusesMalformedHex(_ text: String) {
        #expect(Hex.decode(text) == nil)
    }

    @Test(
        arguments: [
            ("151210174410Z", 2, 1_449_769_450), ("500101000000Z", 2, -631_152_000),
            ("491231235959Z", 2, 2_524_607_999),
            ("20500101000000Z", 4, 2_524_608_000),
        ] as [(String, Int, Int64)])
    func readsTimesOfASN1(text: String, yearDigits: Int, seconds: Int64) {
        #expect(CivilTime(asn1: ArraySlice(text.utf8), yearDigits: yearDigits)?.timestamp().seconds == seconds)
    }

    @Test(arguments: [
        "1512101744Z", "151210174410", "151210174410+0000", "151210174410z", "151310174410Z", "151200174410Z",
        "151232174410Z", "150229174410Z", "151210244410Z", "151210176010Z", "151210174460Z", "15121017441aZ",
        "15121017441-Z", "",
    ])
    func refusesMalformedTimes(_ text: String) {
        #expect(CivilTime(asn1: ArraySlice(text.utf8), yearDigits: 2) == nil)
    }

    @Test func instantsAreWrittenInUTC() {
        #expect(Instant(seconds: 1_449_769_450).text == "2015-12-10T17:44:10Z")
        #expect(Instant(seconds: .min).text == "0001-01-01T00:00:00Z")
        #expect(Instant(seconds: .max).text == "9999-12-31T23:59:59Z")
    }

    @Test func datesBeyondTimeAreHeldFast() {
        #expect(Instant(Date(timeIntervalSince1970: .infinity)).seconds == .max)
        #expect(Instant(Date(timeIntervalSince1970: -.infinity)).seconds == .min)
        #expect(Instant(Date(timeIntervalSince1970: -0.5)).seconds == -1)
        #expect(Instant(seconds: .min).seconds(until: Instant(seconds: .max)) == .max)
        #expect(Instant(seconds: .max).seconds(until: Instant(seconds: .min)) == .min)
    }
}
