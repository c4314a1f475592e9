//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction

/// The cards whose number brings something about, whatever the amount.
///
/// For people who try a shop out, whose amounts are those of its goods, device account numbers in ranges of the wallet
/// simulator:
///
/// | number | authorizations and verifications |
/// |---|---|
/// | 4895 3800 0000 0519 | declined `insufficientFunds`, code 51 |
/// | 5204 2400 0000 0500 | declined `doNotHonor`, code 05 |
/// | 4895 3700 0000 0684 | approved, but the answer is lost: unknown, `timed_out` |
///
/// And the card numbers that TapPay publishes for its sandbox ("Test cards"), each of which is declined in its own way.
/// 4242 4242 4242 4242 is approved, as any good number is. The response codes are those of ISO 8583:1987, field 39, that
/// say what the vendor's numbers say: 94 a duplicate transmission, 03 an invalid merchant, 13 an invalid amount, 26 a
/// duplicate record.
enum TestCard: String, CaseIterable {
    case insufficientFunds = "4895380000000519"
    case doNotHonor = "5204240000000500"
    case answerLost = "4895370000000684"

    case tapPay10003 = "4242421602184242"
    case tapPay10005 = "4242422204184242"
    case tapPay10006 = "4242424010264242"
    case tapPay10008 = "4242424612284242"
    case tapPay10009 = "4242426418294242"
    case tapPay10013 = "4242427622294242"
    case tapPay10023 = "4242428826394242"

    struct Refusal: Hashable, Sendable {
        let reason: DeclineReason
        /// The response code, where it is not the reason's own.
        let responseCode: String?

        init(_ reason: DeclineReason, _ responseCode: String? = nil) {
            self.reason = reason
            self.responseCode = responseCode
        }
    }

    init?(_ instrument: PaymentInstrument) {
        guard case .networkToken(let token) = instrument else { return nil }
        self.init(rawValue: token.pan.reveal())
    }

    var refusal: Refusal? {
        switch self {
        case .insufficientFunds: Refusal(.insufficientFunds)
        case .doNotHonor, .tapPay10003: Refusal(.doNotHonor)
        case .tapPay10005: Refusal(.systemError)
        case .tapPay10006: Refusal(.invalidOperation, "94")
        case .tapPay10008: Refusal(.notPermitted, "03")
        case .tapPay10009: Refusal(.exceedsLimit, "13")
        case .tapPay10013: Refusal(.invalidOperation, "26")
        case .tapPay10023: Refusal(.unspecified)
        case .answerLost: nil
        }
    }
}
