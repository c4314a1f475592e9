//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import StrictJSON

/// What the wire's texts and numbers are read with.
enum WireText {
    /// An integer, written as a number, also as a float without a fraction, or as a string of digits: shops pass on what
    /// their pages and their languages gave them.
    static func integer(_ value: JSON) -> Int64? {
        if let text = value.numberText { return Int64(self.withoutZeroFraction(text)) }
        guard let text = value.string, (1...18).contains(text.utf8.count) else { return nil }
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard ASCII.isDigits(digits) else { return nil }
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
