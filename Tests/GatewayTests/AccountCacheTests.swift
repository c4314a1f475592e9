//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Payments
import Testing
import Time

@testable import Gateway

/// What is known of merchants for a short time, by a clock that may be set.
@Suite struct AccountCacheTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    @Test(arguments: [(0, true), (9, true), (10, false), (-1, false), (-3600, false)] as [(Int64, Bool)])
    func isKnownForSoLong(seconds: Int64, isKnown: Bool) {
        let cache = AccountCache(lifetimeSeconds: 10)
        let merchant = MerchantID(at: Self.now, random: [1])
        cache.keep(TokenKeyring([]), of: merchant, at: Self.now)
        // A clock that has been set back says nothing of how old it is.
        #expect((cache.keyring(merchant, at: Self.now.adding(seconds: seconds)) != nil) == isKnown)
    }
}
