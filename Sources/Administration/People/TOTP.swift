//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Foundation
import Redaction
import Time

/// Codes of six digits that change every thirty seconds (TOTP, RFC 6238, with HMAC-SHA-1), as every app shows them.
struct TOTP: Sendable {
    /// RFC 4226, section 4, R6: 160 bits are recommended.
    static let keyBytesCount = 20
    static let stepSeconds: Int64 = 30
    static let digitsCount = 6
    /// How many steps a clock may be off, either way (RFC 6238, section 6).
    static let skewSteps: Int64 = 1

    let key: Redacted<[UInt8]>

    static func step(at now: Timestamp) -> Int64 { now.milliseconds / (Self.stepSeconds * 1000) }

    /// The code of a time step (RFC 4226, section 5.3).
    func code(ofStep step: Int64, digitsCount: Int = Self.digitsCount) -> String {
        let message = withUnsafeBytes(of: UInt64(bitPattern: step).bigEndian) { Data($0) }
        let digest = Array(
            HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: self.key.reveal())))
        let offset = Int(digest[digest.count - 1] & 0x0F)
        let number = digest[offset..<offset + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let modulus = (0..<digitsCount).reduce(1 as UInt32) { product, _ in product * 10 }
        let digits = String(number % modulus)
        return String(repeating: "0", count: max(0, digitsCount - digits.count)) + digits
    }

    /// The step of which a code is, unless it or a later one has been taken.
    ///
    /// - Parameter lastStep: of the last code that was taken: a code is taken once (RFC 6238, section 5.2).
    func step(of code: String, at now: Timestamp, after lastStep: Int64) -> Int64? {
        let current = Self.step(at: now)
        // All are compared, so that the time does not say which one it was.
        let found = (current - Self.skewSteps...current + Self.skewSteps).filter {
            Redacted(self.code(ofStep: $0)).matches(code)
        }
        return found.first { $0 > lastStep }
    }

    /// What an app is given: as text to type, and as what a QR code says
    /// (github.com/google/google-authenticator/wiki/Key-Uri-Format).
    static func uri(key: Redacted<String>, issuer: String, account: String) -> Redacted<String> {
        let (issuer, account) = (PercentCoding.encoded(issuer), PercentCoding.encoded(account))
        return key.map {
            "otpauth://totp/\(issuer):\(account)?secret=\($0)&issuer=\(issuer)&algorithm=SHA1"
                + "&digits=\(Self.digitsCount)&period=\(Self.stepSeconds)"
        }
    }
}

/// Codes on paper, for whoever has lost the app: eighty random bits each, so that a fast digest keeps them.
enum RecoveryCode {
    static let count = 10
    static let bytesCount = 10

    /// "k5tq-2mhd-zr7a-wx3f".
    static func text(_ bytes: [UInt8]) -> Redacted<String> {
        let digits = Array(Base32.encode(bytes).lowercased())
        return Redacted(
            stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<min($0 + 4, digits.count)]) }
                .joined(separator: "-"))
    }

    /// However it was typed.
    static func digest(_ text: String) -> [UInt8] {
        let digits = text.lowercased().unicodeScalars.filter { $0 != "-" && $0 != " " }
        return MadeSecret.digest(Redacted(String(String.UnicodeScalarView(digits))))
    }
}
