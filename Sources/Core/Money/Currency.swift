//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// A currency of ISO 4217.
public struct Currency: Hashable, Sendable, CustomStringConvertible {
    /// The three letters of the code, the first in the highest byte: an amount is copied wherever a payment is, and a text
    /// would be counted with each copy.
    private let letters: UInt32
    /// The numeric code, 1–999: 124 for CAD.
    public let numericCode: Int
    /// How many decimal places its minor unit has: 2 for CAD, 0 for JPY, 3 for KWD.
    public let exponent: Int

    init(_ code: String, _ numericCode: Int, _ exponent: Int) {
        self.letters = Self.letters(of: code)
        self.numericCode = numericCode
        self.exponent = exponent
    }

    /// The alphabetic code, three upper-case letters: "CAD".
    public var code: String {
        String(unsafeUninitializedCapacity: 3) { text in
            for index in 0..<3 { text[index] = UInt8(truncatingIfNeeded: self.letters >> UInt32(16 - 8 * index)) }
            return 3
        }
    }

    private static func letters(of code: String) -> UInt32 { code.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    public var description: String { self.code }

    /// The numeric code as messages carry it, three digits: "036".
    public var numericText: String {
        let digits = String(self.numericCode)
        return String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }

    /// Every currency of the table.
    public static var all: [Currency] { iso4217 }

    /// The currency of an alphabetic code; the case must match.
    public static func alphabetic(_ code: String) -> Currency? {
        code.utf8.count == 3 ? byLetters[self.letters(of: code)] : nil
    }

    /// The currency of a numeric code of one to three digits. Tokens are seen without the leading zero ("36" for AUD).
    public static func numeric(_ text: String) -> Currency? {
        guard ASCII.isDigits(text, 1...3) else {
            return nil
        }
        return Int(text).flatMap { byNumber[$0] }
    }

    private static let byLetters = Dictionary(uniqueKeysWithValues: iso4217.map { ($0.letters, $0) })
    private static let byNumber = Dictionary(uniqueKeysWithValues: iso4217.map { ($0.numericCode, $0) })
}
