//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// Percent-encoding (RFC 3986, section 2.1).
public enum PercentCoding {
    /// The text with every byte but letters, digits, "-", "." and "_" written as "%XX".
    ///
    /// That leaves no "=", "+", "/", "," or blank, so that the result can stand in a header or a form field as it is,
    /// and is read back alike by decoders that take "+" for a blank and those that don't.
    public static func encoded(_ text: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if ASCII.isNameCharacter(byte) || byte == UInt8(ascii: ".") {
                output.append(byte)
            } else {
                self.appendEscaped(byte, to: &output)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The text with every "%XX" replaced by its byte, or `nil` if that is malformed or not UTF-8. A "+" stays a "+".
    public static func decoded(_ text: some StringProtocol) -> String? {
        self.decoded(bytes: text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The bytes with every "%XX" replaced by its byte, or `nil` if that is malformed.
    public static func decoded(bytes: some Sequence<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.underestimatedCount)
        var bytes = bytes.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                output.append(byte)
                continue
            }
            guard let high = bytes.next().flatMap(ASCII.hexValue), let low = bytes.next().flatMap(ASCII.hexValue) else {
                return nil
            }
            output.append(high << 4 | low)
        }
        return output
    }

    /// Appends "%XX".
    public static func appendEscaped(_ byte: UInt8, to output: inout [UInt8]) {
        output += [UInt8(ascii: "%"), self.digits[Int(byte >> 4)], self.digits[Int(byte & 15)]]
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
