//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// The patterns of texts.
enum XMLText {
    static func isBlank(_ text: String) -> Bool {
        ASCII.isWholly(text, XMLCharacters.isWhiteSpace)
    }

    /// Without white space at its ends: the whiteSpace facet "collapse" of booleans and numbers (XML Schema 1.0, part
    /// 2, 4.3.6).
    static func collapsed(_ text: String) -> String {
        // Hardly any has some.
        if let first = text.utf8.first, !XMLCharacters.isWhiteSpace(first), let last = text.utf8.last,
            !XMLCharacters.isWhiteSpace(last)
        {
            return text
        }
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { !XMLCharacters.isWhiteSpace($0) }),
            let last = bytes.lastIndex(where: { !XMLCharacters.isWhiteSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    /// Without any white space: the vendor's samples wrap base64 over many lines.
    static func unwrapped(_ text: String) -> String {
        guard !ASCII.isWholly(text, { !XMLCharacters.isWhiteSpace($0) }) else { return text }
        return String(decoding: text.utf8.filter { !XMLCharacters.isWhiteSpace($0) }, as: UTF8.self)
    }

    /// xsd:boolean (XML Schema 1.0, part 2, 3.2.2).
    static func boolean(_ text: String) -> Bool? {
        switch self.collapsed(text) {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    static func isEncoded(_ text: String) -> Bool {
        !self.isBlank(text)
            && ASCII.isWholly(text) { byte in
                ASCII.isAlphanumeric(byte) || XMLCharacters.isWhiteSpace(byte)
                    || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
            }
    }

    /// "2030-03", of this century: what goes to the issuer has two digits of the year, and 1930-03 is not 2030-03.
    static func isYearMonth(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 4, parts[0].hasPrefix("20"), parts[1].utf8.count == 2,
            parts.allSatisfy({ ASCII.isDigits($0) }), let month = Int(parts[1])
        else { return false }
        return (1...12).contains(month)
    }
}
