//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Payments
import Time

/// Makes primes: what the front end gets for an Apple Pay token, and what the back end pays with, once.
///
/// "test_" or "prod_" by the merchant's mode, eight hexadecimal digits that say when it ends (seconds since 1970), and 48
/// random ones: 61 characters. The end stands in it so that the back end (``PrimeText``) can distinguish a prime that
/// is over from one that never was, long after it has been destroyed.
enum Prime {
    static let lifetimeSeconds: Int64 = 90
    /// Of a deferred payment.
    static let lifetimeSecondsPending: Int64 = 30 * 86_400

    static let randomBytesCount = 24

    /// - Parameter random: ``randomBytesCount`` bytes.
    static func make(mode: Mode, expiresAt: Timestamp, random: [UInt8]) -> String {
        let seconds = UInt32(clamping: expiresAt.seconds)
        let end = (0..<4).reversed().map { UInt8(truncatingIfNeeded: seconds >> (UInt32($0) * 8)) }
        let prefix =
            switch mode {
            case .sandbox: "test_"
            case .live: "prod_"
            }
        return prefix + Hex.encode(end + random)
    }
}
