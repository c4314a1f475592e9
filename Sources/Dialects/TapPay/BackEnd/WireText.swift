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

    /// An integer, written as a number or as a string of digits: shops pass on what their pages gave them.
    static func integer(_ value: JSON) -> Int64? {
        if let integer = value.integer { return integer }
        guard let text = value.string, (1...18).contains(text.utf8.count) else { return nil }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(self.isDigit) else { return nil }
        return Int64(text)
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
