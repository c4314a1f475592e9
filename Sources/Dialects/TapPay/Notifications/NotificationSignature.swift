//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Gateway
import Time

/// Proves that a notification is this gateway's, and when it was sent: the vendor's look like anybody else's.
/// The body stays as it is.
struct NotificationSignature: Hashable, Sendable {
    static let header = "X-Pomona-Signature"

    /// `t=<seconds since 1970>,v1=<HMAC-SHA256 in lower-case hexadecimal>` over the seconds, a dot and the body.
    let text: String

    /// - Throws: `AccountKeyError` when the account has no secret to sign with.
    init(over body: [UInt8], by merchant: MerchantContext, at time: Timestamp) throws {
        let code = try merchant.hmacSHA256(
            over: Array("\(time.seconds).".utf8) + body, secret: AccountSettings(merchant).notificationSecretName)
        self.text = "t=\(time.seconds),v1=\(Hex.encode(code))"
    }
}
