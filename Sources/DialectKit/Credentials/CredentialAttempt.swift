//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
import Payments

/// A caller's credentials on their way to be looked at. The dialect says how it ended, or nothing when it cannot know: a
/// request that is malformed, a store that does not answer.
public struct CredentialAttempt: Sendable {
    struct Keys: Sendable {
        /// The address and the account that it wants to be.
        let pair: UInt64
        let address: UInt64
        let account: UInt64
        /// The address and the credential that it shows.
        let known: UInt64
    }

    static let unlimited = CredentialAttempt(
        waitSeconds: nil, throttle: nil, dialect: DialectName(""),
        keys: Keys(pair: 0, address: 0, account: 0, known: 0),
        isKnown: true)

    /// When the caller may try again; `nil` when its credentials are to be looked at now.
    public let waitSeconds: Int?
    let throttle: CredentialThrottle?
    let dialect: DialectName
    let keys: Keys
    /// Whether these credentials have been right before, from this address.
    let isKnown: Bool

    /// The credentials are nobody's, or not those of the account.
    ///
    /// - Parameter merchant: whose account it is; `nil` when there is none.
    public func failed(of merchant: MerchantContext? = nil) {
        self.throttle?.failed(self, of: merchant)
    }

    /// The caller is who it says.
    public func succeeded() {
        self.throttle?.succeeded(self)
    }
}
