//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Base64 with the standard alphabet (RFC 4648, section 4), strictly: no white space, no other alphabet, no bits left
/// over.
///
/// An Apple Pay token comes with four base64 texts of some three kilobytes together, so this is on the hot path of every
/// payment.
public enum Base64 {
    public enum Padding: Sendable {
        /// The length must be a multiple of four.
        case required
        /// The padding may be left out whole, never in part. Genuine tokens come so: the signature in Radial's API
        /// document has none.
        case optional
    }

    /// The value of each character, 0xFF for a character outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The bytes, or nil when the text is not base64 in the sense above.
    public static func decode(_ text: String, padding: Padding = .required) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decode($0, padding: padding) }
    }

    static func decode(_ text: UnsafeBufferPointer<UInt8>, padding: Padding) -> [UInt8]? {
        var length = text.count
        if length > 0, length % 4 == 0, text[length - 1] == UInt8(ascii: "=") {
            length -= text[length - 2] == UInt8(ascii: "=") ? 2 : 1
        } else if length % 4 != 0 {
            guard padding == .optional, length % 4 != 1 else { return nil }
        }
        let tail = length % 4
        let groups = length / 4
        let capacity = groups * 3 + (tail == 0 ? 0 : tail - 1)
        var isValid = true
        let bytes = self.values.withUnsafeBufferPointer { values in
            [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                // One test for the whole text: any 0xFF leaves its high bit in `seen`.
                var seen: UInt8 = 0
                for group in 0..<groups {
                    let a = values[Int(text[group * 4])]
                    let b = values[Int(text[group * 4 + 1])]
                    let c = values[Int(text[group * 4 + 2])]
                    let d = values[Int(text[group * 4 + 3])]
                    seen |= a | b | c | d
                    output[group * 3] = a << 2 | b >> 4
                    output[group * 3 + 1] = b << 4 | c >> 2
                    output[group * 3 + 2] = c << 6 | d
                }
                count = capacity
                if tail > 0 {
                    let a = values[Int(text[groups * 4])]
                    let b = values[Int(text[groups * 4 + 1])]
                    let c = tail == 3 ? values[Int(text[groups * 4 + 2])] : 0
                    seen |= a | b | c
                    output[groups * 3] = a << 2 | b >> 4
                    if tail == 3 { output[groups * 3 + 1] = b << 4 | c >> 2 }
                    // RFC 4648, section 3.5: the bits that belong to no byte must be zero, or two texts would mean the
                    // same bytes.
                    let leftover = tail == 3 ? c & 0b11 : b & 0b1111
                    if leftover != 0 { isValid = false }
                }
                if seen & 0x80 != 0 { isValid = false }
            }
        }
        return isValid ? bytes : nil
    }

    /// The text, always with padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var buffer: UInt32 = 0
        var count = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            count += 1
            guard count == 3 else { continue }
            for shift in [18, 12, 6, 0] as [UInt32] { output.append(self.alphabet[Int(buffer >> shift & 63)]) }
            buffer = 0
            count = 0
        }
        if count > 0 {
            buffer <<= UInt32(8 * (3 - count))
            for position in 0..<4 {
                let isPadding = position > count
                let index = Int(buffer >> UInt32(18 - 6 * position) & 63)
                output.append(isPadding ? UInt8(ascii: "=") : self.alphabet[index])
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
