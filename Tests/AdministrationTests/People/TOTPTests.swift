//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Redaction
import Testing
import Time

@testable import Administration

/// Codes that change with the time, and codes on paper.
@Suite struct TOTPTests {
    private static let key = TOTP(key: Redacted(Array("12345678901234567890".utf8)))

    /// RFC 6238, appendix B, the rows of SHA-1.
    @Test(
        arguments: [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
        ] as [(Int64, String)])
    func codesAreThoseOfTheStandard(_ seconds: Int64, _ code: String) {
        let now = Timestamp(seconds: seconds)
        #expect(Self.key.code(ofStep: TOTP.step(at: now), digitsCount: 8) == code)
        #expect(Self.key.code(ofStep: TOTP.step(at: now)) == code.suffix(6))
        #expect(Self.key.step(of: String(code.suffix(6)), at: now, after: 0) == TOTP.step(at: now))
    }

    /// RFC 4226, appendix D.
    @Test func codesOfTheFirstCountersAreThoseOfTheStandard() {
        let codes = (0..<10).map { Self.key.code(ofStep: $0) }
        #expect(
            codes == [
                "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
            ])
    }

    @Test func aClockMayBeOffByOneStepEitherWay() {
        let now = Timestamp(seconds: 1_234_567_890)
        let step = TOTP.step(at: now)
        for offset in -3...3 as ClosedRange<Int64> {
            let found = Self.key.step(of: Self.key.code(ofStep: step + offset), at: now, after: 0)
            #expect(found == (abs(offset) <= 1 ? step + offset : nil))
        }
    }

    @Test func aCodeIsTakenOnceAndNoEarlierOneAfterIt() {
        let now = Timestamp(seconds: 1_234_567_890)
        let step = TOTP.step(at: now)
        let codes = (-1...1 as ClosedRange<Int64>).map { Self.key.code(ofStep: step + $0) }
        #expect(codes.map { Self.key.step(of: $0, at: now, after: step) } == [nil, nil, step + 1])
        #expect(codes.map { Self.key.step(of: $0, at: now, after: step + 1) } == [nil, nil, nil])
    }

    @Test(arguments: ["", "92400", "0924005", "005924 ", "٠٠٥٩٢٤", "00592a", "-05924"])
    func whatIsNoCodeIsWrong(_ code: String) {
        #expect(Self.key.step(of: code, at: Timestamp(seconds: 1_234_567_890), after: 0) == nil)
    }

    @Test func appsAreGivenTheKeyAsTheyReadIt() throws {
        // RFC 4648, section 10, without padding.
        let texts = ["": "", "f": "MY", "fo": "MZXQ", "foo": "MZXW6", "foob": "MZXW6YQ", "fooba": "MZXW6YTB"]
        for (plain, encoded) in texts {
            #expect(Base32.encode(Array(plain.utf8)) == encoded)
            #expect(Base32.decode(encoded) == Array(plain.utf8))
        }
        #expect(Base32.decode("M1") == nil && Base32.decode("my") == nil)
        let uri = TOTP.uri(key: Redacted("MZXW6"), issuer: "Zum Löwen: Zahlung", account: "alice@shop")
        let parts = try #require(URLComponents(string: uri.reveal()))
        #expect(parts.scheme == "otpauth" && parts.host == "totp" && parts.path == "/Zum Löwen: Zahlung:alice@shop")
        let items = Dictionary(
            (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
        #expect(
            items == [
                "secret": "MZXW6", "issuer": "Zum Löwen: Zahlung", "algorithm": "SHA1", "digits": "6", "period": "30",
            ])
    }

    @Test func recoveryCodesAreReadHoweverTheyAreTyped() throws {
        let code = RecoveryCode.text([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).reveal()
        #expect(code.wholeMatch(of: /[a-z2-7]{4}(-[a-z2-7]{4}){3}/) != nil)
        let digest = RecoveryCode.digest(code)
        #expect(digest.count == 32)
        #expect(RecoveryCode.digest(code.uppercased().replacing("-", with: " ")) == digest)
        #expect(RecoveryCode.digest(code.replacing("-", with: "")) == digest)
        #expect(RecoveryCode.digest(String(code.dropLast())) != digest)
    }
}
