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
        var sum = 0
        for (index, byte) in digits.reversed().enumerated() {
            let digit = Int(byte - 0x30)
            let weighted = index.isMultiple(of: 2) ? digit : digit * 2
            sum += weighted / 10 + weighted % 10
        }
        return sum.isMultiple(of: 10)
    }
}
