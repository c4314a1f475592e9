//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
public import Redaction

/// A user and a password as the Basic scheme of HTTP carries them (RFC 7617, section 2).
public struct BasicCredentials: Sendable {
    /// May be empty.
    public let user: String
    public let password: Redacted<String>

    /// - Parameter header: the value of the Authorization header: "Basic dXNlcjpwYXNzd29yZA==".
    /// - Returns: `nil` where it isn't that: another scheme, malformed base64, no colon, not UTF-8.
    public init?(header: String) {
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "basic" else { return nil }
        self.init(base64: parts[1].trimmingCharacters(in: .whitespaces))
    }

    /// The same without the scheme's name, as some clients send it.
    public init?(base64: String) {
        guard let bytes = Data(base64Encoded: base64), let text = String(validating: bytes, as: UTF8.self),
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        self.user = String(text[..<colon])
        self.password = Redacted(String(text[text.utf8.index(after: colon)...]))
    }
}
