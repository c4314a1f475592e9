//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding

/// Base64 with the alphabet for addresses and without padding (RFC 4648, section 5; RFC 7515, section 2), strictly.
enum Base64URL {
    static func encode(_ bytes: some Collection<UInt8>) -> String {
        Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// - Returns: `nil` for another alphabet, padding, or bits left over.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard
            !text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=") }
            )
        else { return nil }
        let standard = String(text).replacing("-", with: "+").replacing("_", with: "/")
        return Base64.decode(standard, padding: .optional)
    }
}
