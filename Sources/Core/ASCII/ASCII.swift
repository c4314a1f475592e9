//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a character is, by its byte (RFC 20). A byte of 0x80 and above, of whatever encoding, is none of these.
public enum ASCII {
    @inlinable
    public static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// A to Z.
    @inlinable
    public static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    /// a to z.
    @inlinable
    public static func isSmallLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    @inlinable
    public static func isLetter(_ byte: UInt8) -> Bool { self.isCapital(byte) || self.isSmallLetter(byte) }

    @inlinable
    public static func isAlphanumeric(_ byte: UInt8) -> Bool { self.isDigit(byte) || self.isLetter(byte) }

    /// The bytes as text, if all of them are ASCII.
    @inlinable
    public static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        // Without an early end, so that many bytes are looked at in a step.
        guard bytes.reduce(0, |) < 0x80 else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Letters, digits, hyphens and underscores: what stands in a URL, a form and a header as it is.
    @inlinable
    public static func isNameCharacter(_ byte: UInt8) -> Bool {
        self.isAlphanumeric(byte) || byte == 0x2D || byte == 0x5F
    }

    /// 0 to 9, A to F and a to f.
    @inlinable
    public static func isHexDigit(_ byte: UInt8) -> Bool {
        self.isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// The value of a hexadecimal digit of either case; nil for anything else.
    @inlinable
    public static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// No blank and no control character: 0x21 to 0x7E (RFC 5234, appendix B.1, `VCHAR`).
    @inlinable
    public static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    /// Whether a text is of digits alone, and of so many. Digits of other scripts are none.
    @inlinable
    public static func isDigits(_ text: some StringProtocol, _ count: ClosedRange<Int> = 1...Int.max) -> Bool {
        count.contains(text.utf8.count) && text.utf8.allSatisfy(self.isDigit)
    }

    /// A control character: those of ASCII, and the second set that ISO/IEC 6429 has above it (U+0080 to U+009F).
    @inlinable
    public static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// Whether every byte of a text is such a one. Its bytes are read where they lie: tokens of some thousand of them are
    /// looked through with every payment.
    @inlinable
    public static func isWholly(_ text: String, _ isSuch: (UInt8) -> Bool) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { self.isWholly($0, isSuch) } ?? text.utf8.allSatisfy(isSuch)
    }

    @inlinable
    public static func isWholly(_ bytes: UnsafeBufferPointer<UInt8>, _ isSuch: (UInt8) -> Bool) -> Bool {
        // Without an early end, so that many bytes are looked at in a step.
        bytes.reduce(0 as UInt8) { $0 | (isSuch($1) ? 0 : 1) } == 0
    }
}
