//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Hosts

/// E-mail addresses as the vendor takes them: RFC 5322, section 3.4.1, with lengths of its own.
///
/// At most 254 characters; before the "@" at most 63; the domain's name at most 63; behind it one to four suffixes with at
/// most 124 characters together. "@" and the dots count among the 254.
enum EmailAddress {
    static let charactersMin = 5
    static let charactersMax = 254
    private static let localMax = 63
    private static let suffixesMax = 4
    private static let suffixesCharactersMax = 124

    static func isValid(_ text: String) -> Bool {
        guard (self.charactersMin...self.charactersMax).contains(text.utf8.count), text.utf8.allSatisfy({ $0 < 0x80 }),
            let at = text.lastIndex(of: "@")
        else { return false }
        let labels = text[text.index(after: at)...].split(separator: ".", omittingEmptySubsequences: false)
        let suffixes = labels.dropFirst()
        return self.isLocalPart(text[..<at]) && labels.allSatisfy { HostName.isLabel($0) }
            && (1...self.suffixesMax).contains(suffixes.count)
            && suffixes.reduce(0) { $0 + $1.utf8.count } <= self.suffixesCharactersMax
    }

    private static let symbols = Set("!#$%&'*+-/=?^_`{|}~".utf8)

    /// A dot-atom or a quoted string (RFC 5322, sections 3.2.3 and 3.2.4).
    private static func isLocalPart(_ text: Substring) -> Bool {
        guard (1...self.localMax).contains(text.utf8.count) else { return false }
        if text.hasPrefix("\"") { return self.isQuotedString(text) }
        let atoms = text.split(separator: ".", omittingEmptySubsequences: false)
        return atoms.allSatisfy { atom in
            !atom.isEmpty && atom.utf8.allSatisfy { ASCII.isAlphanumeric($0) || self.symbols.contains($0) }
        }
    }

    private static func isQuotedString(_ text: Substring) -> Bool {
        guard text.utf8.count >= 3, text.hasSuffix("\"") else { return false }
        var isEscaped = false
        for byte in text.utf8.dropFirst().dropLast() {
            guard (0x20...0x7E).contains(byte), isEscaped || byte != UInt8(ascii: "\"") else { return false }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return !isEscaped
    }
}
