//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Time

extension Identifier {
    /// The identifiers of one test, distinguished by their numbers, which they hold twice: a character that is another
    /// makes none of them another of them.
    public init(_ number: Int, at moment: Timestamp) {
        let bytes = [UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
        self.init(at: moment, random: Array(repeating: 0, count: 4) + bytes + bytes)
    }
}
