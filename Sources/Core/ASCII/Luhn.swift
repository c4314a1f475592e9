//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The check digit of card numbers (ISO/IEC 7812-1, annex B).
public enum Luhn {
    /// From the right, every second digit counts double, as the sum of its digits; all of them together end in 0.
    ///
    /// - Returns: false where there is no digit, or anything else.
    @inlinable public static func passes(_ digits: some BidirectionalCollection<UInt8>) -> Bool {
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return false }
        return self.sum(of: digits, doublesLast: false).isMultiple(of: 10)
    }

    /// The digit, 0 to 9, behind which the digits pass.
    ///
    /// - Parameter digits: anything else among them counts as nothing.
    @inlinable public static func checkDigit(of digits: some BidirectionalCollection<UInt8>) -> Int {
        (10 - self.sum(of: digits.filter(ASCII.isDigit), doublesLast: true) % 10) % 10
    }

    @inlinable static func sum(of digits: some BidirectionalCollection<UInt8>, doublesLast: Bool) -> Int {
        var sum = 0
        var isDoubled = doublesLast
        for byte in digits.reversed() {
            let digit = Int(byte - 0x30)
            let weighted = isDoubled ? digit * 2 : digit
            sum += weighted / 10 + weighted % 10
            isDoubled.toggle()
        }
        return sum
    }
}
