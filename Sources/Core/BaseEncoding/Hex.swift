//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// Hexadecimal (RFC 4648, section 8, "Base 16"), two digits for each byte. Leading zeros are bytes like any other: nothing
/// here is a number.
public enum Hex {
    /// The bytes of digits of either case, or nil when the text has an odd length or anything but hexadecimal digits.
    public static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { digits -> [UInt8]? in
            guard digits.count % 2 == 0 else { return nil }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(digits.count / 2)
            for index in stride(from: 0, to: digits.count, by: 2) {
                guard let high = ASCII.hexValue(digits[index]), let low = ASCII.hexValue(digits[index + 1]) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            }
            return bytes
        }
    }

    private static let lower: StaticString = "0123456789abcdef"
    private static let upper: StaticString = "0123456789ABCDEF"

    public static func encode(_ bytes: some Sequence<UInt8>, isUpperCase: Bool = false) -> String {
        // What lies in one piece is read there; anything else is copied once.
        bytes.withContiguousStorageIfAvailable { self.encode($0, isUpperCase) }
            ?? Array(bytes).withUnsafeBufferPointer { self.encode($0, isUpperCase) }
    }

    private static func encode(_ bytes: UnsafeBufferPointer<UInt8>, _ isUpperCase: Bool) -> String {
        let digits = isUpperCase ? self.upper.utf8Start : self.lower.utf8Start
        return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = digits[Int(byte >> 4)]
                text[2 * index + 1] = digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }
}
