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

    /// What each character says in each of a group's four places: 256 entries a place, shifted to where its six bits
    /// stand among the group's 24, so that a group is four look-ups and three bytes of their union.
    private static let places: [UInt32] = {
        var places = [UInt32](repeating: Base64.outside, count: 4 * 256)
        for (value, character) in alphabet.enumerated() {
            for place in 0..<4 { places[place * 256 + Int(character)] = UInt32(value) << UInt32(18 - 6 * place) }
        }
        return places
    }()

    /// Of a character that is not in the alphabet: a bit that no group has.
    private static let outside: UInt32 = 1 << 24

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
        let bytes = self.places.withUnsafeBufferPointer { places in
            [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                // One test for the whole text.
                var seen: UInt32 = 0
                for group in 0..<groups {
                    let bits =
                        places[Int(text[group * 4])] | places[256 + Int(text[group * 4 + 1])]
                        | places[512 + Int(text[group * 4 + 2])] | places[768 + Int(text[group * 4 + 3])]
                    seen |= bits
                    output[group * 3] = UInt8(truncatingIfNeeded: bits >> 16)
                    output[group * 3 + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                    output[group * 3 + 2] = UInt8(truncatingIfNeeded: bits)
                }
                count = capacity
                if tail > 0 {
                    var bits = places[Int(text[groups * 4])] | places[256 + Int(text[groups * 4 + 1])]
                    if tail == 3 { bits |= places[512 + Int(text[groups * 4 + 2])] }
                    seen |= bits
                    output[groups * 3] = UInt8(truncatingIfNeeded: bits >> 16)
                    if tail == 3 { output[groups * 3 + 1] = UInt8(truncatingIfNeeded: bits >> 8) }
                    // RFC 4648, section 3.5: the bits that belong to no byte must be zero, or two texts would mean the
                    // same bytes.
                    if bits & (tail == 3 ? 0xFF : 0xFFFF) != 0 { isValid = false }
                }
                if seen & self.outside != 0 { isValid = false }
            }
        }
        return isValid ? bytes : nil
    }

    /// The text, always with padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        // What lies in one piece is read there; anything else is copied once.
        bytes.withContiguousStorageIfAvailable { self.encode($0) }
            ?? Array(bytes).withUnsafeBufferPointer { self.encode($0) }
    }

    private static func encode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        self.alphabet.withUnsafeBufferPointer { alphabet in
            String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
                var position = 0
                for start in stride(from: 0, to: bytes.count, by: 3) {
                    let count = min(3, bytes.count - start)
                    var bits = UInt32(bytes[start]) << 16
                    if count > 1 { bits |= UInt32(bytes[start + 1]) << 8 }
                    if count > 2 { bits |= UInt32(bytes[start + 2]) }
                    for place in 0..<4 {
                        let isPadding = place > count
                        text[position + place] =
                            isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]
                    }
                    position += 4
                }
                return position
            }
        }
    }
}
