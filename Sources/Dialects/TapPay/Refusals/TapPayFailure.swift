//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// What ends a call: a number of the code table, and a sentence where the number's own text hides the cause.
///
/// `msg` is the vendor's text as it is, since clients compare it; the sentence stands beside it, in `detail`.
struct TapPayFailure: Error, Hashable, Sendable {
    let code: TapPayCode
    let detail: String?
    /// When the caller may ask again, where that is known.
    var retryAfterSeconds: Int?

    init(_ code: TapPayCode, _ detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    /// A currency of the wire's that the merchant's account has not been given.
    init(notAmongCurrencies currency: WireCurrency) {
        self.init(
            .currencyNotSupported, "The account's setting currencies has not \(currency.rawValue). Ask the operator.")
    }

    /// The vendor has no number for it.
    static func throttled(_ seconds: Int) -> TapPayFailure {
        var failure = TapPayFailure(
            .systemError,
            "There are too many requests, or too many with wrong keys from this address. Nothing was done. "
                + "Wait for as many seconds as Retry-After says.")
        failure.retryAfterSeconds = seconds
        return failure
    }

    var members: JSONObject {
        var members = JSONObject()
        members["status"] = JSON(self.code.rawValue)
        members["msg"] = .string(self.code.message)
        members["detail"] = self.detail.map(JSON.string)
        return members
    }
}
