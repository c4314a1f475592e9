//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Crypto
import Foundation
import Redaction

/// Secrets that are made here, shown once, and of which only a digest is kept. They have 256 random bits, so that a fast
/// digest is as good as a slow one: there is nothing to guess.
enum MadeSecret {
    static let bytesCount = 32
    /// How many digits of base 62 say 256 bits.
    static let digitsCount = 43

    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// Letters and digits alone, which a double click takes whole and no URL escapes.
    static func text(_ bytes: [UInt8]) -> String { Self.base62(bytes, digitsCount: Self.digitsCount) }

    /// SHA-256.
    static func digest(_ text: Redacted<String>) -> [UInt8] { Array(SHA256.hash(data: Data(text.reveal().utf8))) }

    static func hexDigest(_ text: Redacted<String>) -> String { Hex.encode(Self.digest(text)) }

    /// A number, its most significant byte first, with leading zeros.
    static func base62(_ bytes: [UInt8], digitsCount: Int) -> String {
        var rest = bytes
        var text = [UInt8](repeating: Self.digits[0], count: digitsCount)
        for place in text.indices.reversed() {
            var remainder = 0
            for index in rest.indices {
                let value = remainder << 8 | Int(rest[index])
                rest[index] = UInt8(value / 62)
                remainder = value % 62
            }
            text[place] = Self.digits[remainder]
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func isBase62(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy(Self.digits.contains) }

    /// The cyclic redundancy check of ISO/IEC/IEEE 8802-3, section 3.2.9, as zlib has it.
    static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { check, byte in
            (0..<8).reduce(check ^ UInt32(byte)) { value, _ in
                value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
            }
        }
    }
}

/// The text of an access token: `pomona_`, 43 digits of base 62, and six more that say the CRC-32 of all before them. A
/// scanner that finds one in a file or a log knows it by the prefix and the check, without asking anybody; and what was
/// mistyped is refused without a look into the store.
enum AccessTokenText {
    static let prefix = "pomona_"
    private static let checkDigitsCount = 6

    static func make(_ bytes: [UInt8]) -> Redacted<String> {
        let body = Self.prefix + MadeSecret.text(bytes)
        return Redacted(body + Self.check(of: body))
    }

    /// Whether it can be one.
    static func isPlausible(_ text: Redacted<String>) -> Bool {
        let text = text.reveal()
        let count = Self.prefix.utf8.count + MadeSecret.digitsCount + Self.checkDigitsCount
        guard text.utf8.count == count, text.hasPrefix(Self.prefix),
            MadeSecret.isBase62(text.dropFirst(Self.prefix.count))
        else { return false }
        return text.hasSuffix(Self.check(of: String(text.dropLast(Self.checkDigitsCount))))
    }

    private static func check(of body: String) -> String {
        let check = MadeSecret.crc32(body.utf8)
        let bytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: check >> UInt32($0)) }
        return MadeSecret.base62(bytes, digitsCount: Self.checkDigitsCount)
    }
}
