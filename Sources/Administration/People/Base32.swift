//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// RFC 4648, section 6, without padding: what apps that show codes are given their keys in.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        var (accumulator, bitsCount) = (0 as UInt32, 0 as UInt32)
        for byte in bytes {
            accumulator = (accumulator << 8 | UInt32(byte)) & 0xFFFF
            bitsCount += 8
            while bitsCount >= 5 {
                bitsCount -= 5
                digits.append(Self.alphabet[Int(accumulator >> bitsCount & 31)])
            }
        }
        if bitsCount > 0 { digits.append(Self.alphabet[Int(accumulator << (5 - bitsCount) & 31)]) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// - Returns: `nil` for a character of another alphabet.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (accumulator, bitsCount) = (0 as UInt32, 0 as UInt32)
        for character in text.utf8 {
            guard let value = Self.alphabet.firstIndex(of: character) else { return nil }
            accumulator = (accumulator << 5 | UInt32(value)) & 0xFFFF
            bitsCount += 5
            if bitsCount >= 8 {
                bitsCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: accumulator >> bitsCount))
            }
        }
        return bytes
    }
}
