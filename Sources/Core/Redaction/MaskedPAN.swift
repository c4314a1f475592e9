//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII

/// A primary account number (ISO/IEC 7812-1) with all but its ends masked, as receipts and answers may show it.
///
/// PCI DSS 4.0, 3.4.1 allows at most the BIN (here: the first six digits) and the last four. Whatever is not 12–19
/// digits is masked whole, so that a caller's mistake shows nothing.
public struct MaskedPAN: Hashable, Sendable, CustomStringConvertible {
    /// The first six digits (the issuer identification number), or "" when the number was not a PAN.
    public let prefix: String
    /// The last four digits, or "" when the number was not a PAN.
    public let suffix: String
    /// How many digits there are in all.
    public let length: Int

    public init(_ pan: Redacted<String>) {
        let digits = pan.reveal().utf8
        guard (12...19).contains(digits.count), digits.allSatisfy(ASCII.isDigit) else {
            self.prefix = ""
            self.suffix = ""
            self.length = 0
            return
        }
        self.prefix = String(decoding: digits.prefix(6), as: UTF8.self)
        self.suffix = String(decoding: digits.suffix(4), as: UTF8.self)
        self.length = digits.count
    }

    /// A mask that was stored earlier. Anything but six digits, four digits and a length of 12–19 is masked whole.
    public init(prefix: String, suffix: String, length: Int) {
        let isDigits = { (text: String) in text.utf8.allSatisfy(ASCII.isDigit) }
        guard prefix.utf8.count == 6, suffix.utf8.count == 4, (12...19).contains(length), isDigits(prefix),
            isDigits(suffix)
        else {
            self.prefix = ""
            self.suffix = ""
            self.length = 0
            return
        }
        self.prefix = prefix
        self.suffix = suffix
        self.length = length
    }

    /// "411111xxxxxx1111", or the redaction word when there was no PAN to mask.
    public var description: String {
        guard self.length > 0 else { return redactionPlaceholder }
        return self.prefix + String(repeating: "x", count: self.length - 10) + self.suffix
    }
}
