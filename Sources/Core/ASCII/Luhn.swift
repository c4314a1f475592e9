//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The check digit of card numbers (ISO/IEC 7812-1, annex B).
public enum Luhn {
    /// From the right, every second digit counts double, as the sum of its digits; all of them together end in 0.
    ///
    /// - Returns: false where there is no digit, or anything else.
    public static func passes(_ digits: some BidirectionalCollection<UInt8>) -> Bool {
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return false }
        return self.sum(of: digits, doublesLast: false).isMultiple(of: 10)
    }

    /// The digit, 0 to 9, behind which the digits pass.
    ///
    /// - Parameter digits: anything else among them counts as nothing.
    public static func checkDigit(of digits: some BidirectionalCollection<UInt8>) -> Int {
        (10 - self.sum(of: digits.filter(ASCII.isDigit), doublesLast: true) % 10) % 10
    }

    private static func sum(of digits: some BidirectionalCollection<UInt8>, doublesLast: Bool) -> Int {
        var sum = 0
        for (index, byte) in digits.reversed().enumerated() {
            let digit = Int(byte - 0x30)
            let weighted = index.isMultiple(of: 2) == doublesLast ? digit * 2 : digit
            sum += weighted / 10 + weighted % 10
        }
        return sum
    }
}
