//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import StrictJSON

/// The characters of XML 1.0.
enum XMLCharacters {
    static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: ":"):
            true
        default: false
        }
    }

    /// Whether a part of a name is not empty and begins as it may: with a letter or an underscore.
    static func isNameStart(_ part: ArraySlice<UInt8>) -> Bool {
        guard let first = part.first else { return false }
        switch first {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
            return true
        default: return false
        }
    }

    /// Whether a character may stand in a document (section 2.2): no control characters but tab and line ends, no
    /// surrogates, not U+FFFE and U+FFFF.
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }

    /// Refuses bytes that are not UTF-8, and characters that XML does not allow.
    static func check(_ bytes: [UInt8]) throws(XMLError) {
        // All that hardly any document has more than: printable ASCII in lines.
        if bytes.withUnsafeBufferPointer({ ASCII.isWholly($0) { ($0 >= 0x20 && $0 < 0x80) || self.isWhiteSpace($0) } })
        {
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw XMLError(.notUTF8, at: 0) }
        guard text.isStreamSafe else { throw XMLError(.characterNotAllowed, at: 0) }
        for (offset, byte) in bytes.enumerated() {
            let isControl = byte < 0x20 && !self.isWhiteSpace(byte)
            // In UTF-8, U+FFFE and U+FFFF are EF BF BE and EF BF BF.
            let isNonCharacter =
                (byte == 0xBE || byte == 0xBF) && offset >= 2 && bytes[offset - 1] == 0xBF && bytes[offset - 2] == 0xEF
            if isControl || isNonCharacter { throw XMLError(.characterNotAllowed, at: offset) }
        }
    }

    /// Every line end as one line feed (section 2.11).
    static func normalizingLineEnds(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(0x0D) else { return Array(bytes) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var wasReturn = false
        for byte in bytes {
            if byte == 0x0D {
                output.append(0x0A)
            } else if byte != 0x0A || !wasReturn {
                output.append(byte)
            }
            wasReturn = byte == 0x0D
        }
        return output
    }

    /// The character of "38" or "x26" (section 4.1).
    static func scalar(ofReference digits: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let isHexadecimal = digits.first == UInt8(ascii: "x")
        let number = isHexadecimal ? digits.dropFirst() : digits
        // UInt32(_:radix:) takes a sign.
        guard let first = number.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
            let value = UInt32(String(decoding: number, as: UTF8.self), radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(value), self.isAllowed(scalar)
        else { return nil }
        return scalar
    }
}
