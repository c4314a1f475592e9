//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import StrictJSON

/// How the text of a form is written in bytes.
public enum FormCharset: String, Hashable, Sendable {
    case utf8 = "UTF-8"
    case latin1 = "ISO-8859-1"

    /// The charset of a label as it stands in a `charset` parameter or a field, in any case (RFC 2978, section 2.3).
    public init?(label: String) {
        switch label.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii": self = .latin1
        default: return nil
        }
    }

    /// The text of the bytes; `nil` if they are no text in this charset, or one with endless marks (`isStreamSafe`).
    public func text(of bytes: [UInt8]) -> String? { bytes.withUnsafeBufferPointer { self.text(of: $0) } }

    func text(of bytes: UnsafeBufferPointer<UInt8>) -> String? {
        // The same in both, as nearly all texts are.
        if let text = ASCII.text(bytes) { return text }
        return switch self {
        case .utf8: String(validating: bytes, as: UTF8.self).flatMap { $0.isStreamSafe ? $0 : nil }
        case .latin1: Latin1.text(bytes)
        }
    }

    /// The bytes of the text; what the charset has no byte for is "?".
    public func bytes(of text: String) -> [UInt8] {
        switch self {
        case .utf8: Array(text.utf8)
        case .latin1: Latin1.bytes(of: text)
        }
    }
}

/// ISO/IEC 8859-1: byte and Unicode code point are the same number.
public enum Latin1 {
    /// Every text of bytes exists.
    public static func text(_ bytes: some Sequence<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        return String(scalars)
    }

    /// The bytes of a text; what has none is "?". A letter and the mark over it count as one where the two together
    /// have a byte.
    public static func bytes(of text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for character in text {
            if let byte = self.composed[character] {
                bytes.append(byte)
            } else {
                for scalar in character.unicodeScalars {
                    bytes.append(UInt8(exactly: scalar.value) ?? UInt8(ascii: "?"))
                }
            }
        }
        return bytes
    }

    /// Characters are equal when they are canonically equivalent, so that this finds "e" with an acute accent as well.
    private static let composed = Dictionary(
        uniqueKeysWithValues: (UInt8(0xC0)...0xFF).map { (Character(Unicode.Scalar($0)), $0) })
}
