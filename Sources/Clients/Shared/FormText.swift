//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding

/// `application/x-www-form-urlencoded` (WHATWG URL Standard, section 5), as far as a client writes and reads it.
enum FormText {
    static func written(_ fields: [(String, String)]) -> [UInt8] {
        Array(
            fields.map { "\(PercentCoding.encoded($0.0))=\(PercentCoding.encoded($0.1))" }
                .joined(separator: "&").utf8)
    }

    /// The fields of a form in ISO/IEC 8859-1; `nil` where an escape is malformed or a name stands there twice.
    static func readLatin1(_ bytes: [UInt8]) -> [String: String]? {
        var fields: [String: String] = [:]
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, let name = self.latin1(halves[0]), let value = self.latin1(halves[1]),
                fields.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return fields
    }

    private static func latin1(_ bytes: ArraySlice<UInt8>) -> String? {
        let blanks = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        guard let decoded = PercentCoding.decoded(bytes: blanks) else { return nil }
        var scalars = String.UnicodeScalarView()
        for byte in decoded { scalars.append(Unicode.Scalar(byte)) }
        return String(scalars)
    }
}
