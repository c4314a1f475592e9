//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// A currency of ISO 4217.
public struct Currency: Hashable, Sendable, CustomStringConvertible {
    /// The alphabetic code, three upper-case letters: "CAD".
    public let code: String
    /// The numeric code, 1–999: 124 for CAD.
    public let numericCode: Int
    /// How many decimal places its minor unit has: 2 for CAD, 0 for JPY, 3 for KWD.
    public let exponent: Int

    init(_ code: String, _ numericCode: Int, _ exponent: Int) {
        self.code = code
        self.numericCode = numericCode
        self.exponent = exponent
    }

    public var description: String { self.code }

    /// The numeric code as messages carry it, three digits: "036".
    public var numericText: String {
        let digits = String(self.numericCode)
        return String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }

    /// Every currency of the table.
    public static var all: [Currency] { iso4217 }

    /// The currency of an alphabetic code; the case must match.
    public static func alphabetic(_ code: String) -> Currency? { byCode[code] }

    /// The currency of a numeric code of one to three digits. Tokens are seen without the leading zero ("36" for AUD).
    public static func numeric(_ text: String) -> Currency? {
        guard ASCII.isDigits(text, 1...3) else {
            return nil
        }
        return Int(text).flatMap { byNumber[$0] }
    }

    private static let byCode = Dictionary(uniqueKeysWithValues: iso4217.map { ($0.code, $0) })
    private static let byNumber = Dictionary(uniqueKeysWithValues: iso4217.map { ($0.numericCode, $0) })
}
