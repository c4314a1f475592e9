//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
public import Redaction

/// A user and a password as the Basic scheme of HTTP carries them (RFC 7617, section 2).
public struct BasicCredentials: Sendable {
    /// May be empty.
    public let user: String
    public let password: Redacted<String>

    /// - Parameter header: the value of the Authorization header: "Basic dXNlcjpwYXNzd29yZA==".
    /// - Returns: `nil` where it isn't that: another scheme, malformed base64, no colon, not UTF-8.
    public init?(header: String) {
        let parts = header.utf8.split(maxSplits: 1, whereSeparator: Self.isWhiteSpace)
        guard parts.count == 2, String(Substring(parts[0])).lowercased() == "basic" else { return nil }
        var token = parts[1].drop(while: Self.isWhiteSpace)
        while let last = token.last, Self.isWhiteSpace(last) { token.removeLast() }
        self.init(base64: String(Substring(token)))
    }

    /// Spaces and tabs (RFC 9110, section 5.6.3).
    private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// The same without the scheme's name, as some clients send it.
    public init?(base64: String) {
        guard let bytes = Base64.decode(base64), let text = String(validating: bytes, as: UTF8.self),
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        self.user = String(text[..<colon])
        self.password = Redacted(String(text[text.utf8.index(after: colon)...]))
    }
}
