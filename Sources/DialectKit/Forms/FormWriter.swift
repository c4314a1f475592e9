//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import BaseEncoding

/// Writes `application/x-www-form-urlencoded` (WHATWG URL Standard, section 5.2).
public enum FormWriter {
    /// The body of the fields, in their order.
    public static func urlEncoded(
        _ fields: some Sequence<(name: String, value: String)>, as charset: FormCharset = .utf8
    ) -> [UInt8] {
        var body: [UInt8] = []
        for field in fields {
            if !body.isEmpty { body.append(UInt8(ascii: "&")) }
            self.append(charset.bytes(of: field.name), to: &body)
            body.append(UInt8(ascii: "="))
            self.append(charset.bytes(of: field.value), to: &body)
        }
        return body
    }

    private static func append(_ bytes: [UInt8], to body: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case _ where ASCII.isNameCharacter(byte), UInt8(ascii: "."), UInt8(ascii: "*"): body.append(byte)
            case UInt8(ascii: " "): body.append(UInt8(ascii: "+"))
            default: PercentCoding.appendEscaped(byte, to: &body)
            }
        }
    }
}
