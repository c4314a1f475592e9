//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// What the wire's texts and numbers are read with.
enum WireText {
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    static func isHexDigit(_ byte: UInt8) -> Bool {
        self.isDigit(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        self.isDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// An integer, written as a number, also as a float without a fraction, or as a string of digits: shops pass on what
    /// their pages and their languages gave them.
    static func integer(_ value: JSON) -> Int64? {
        if let text = value.numberText { return Int64(self.withoutZeroFraction(text)) }
        guard let text = value.string, (1...18).contains(text.utf8.count) else { return nil }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(self.isDigit) else { return nil }
        return Int64(text)
    }

    /// "100.0" as "100": many languages write a float so that holds an integer. Any other number stays as it is.
    static func withoutZeroFraction(_ number: String) -> String {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) else {
            return number
        }
        return String(parts[0])
    }

    /// A boolean, written as one, as 0 or 1, or as a word.
    static func bool(_ value: JSON) -> Bool? {
        if let bool = value.bool { return bool }
        switch value.integer ?? -1 {
        case 0: return false
        case 1: return true
        default: break
        }
        switch value.string?.lowercased() {
        case "true", "1": return true
        case "false", "0", "": return false
        default: return nil
        }
    }
}
