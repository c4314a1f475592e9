//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction

/// The card numbers that TapPay publishes for its sandbox ("Test cards"): each brings one refusal about, whatever the
/// amount. 4242 4242 4242 4242 is approved, as any good number is.
///
/// The response codes are those of ISO 8583:1987, field 39, that say what the vendor's numbers say: 94 a duplicate
/// transmission, 03 an invalid merchant, 13 an invalid amount, 26 a duplicate record.
enum TapPayTestCard {
    struct Refusal: Hashable, Sendable {
        let reason: DeclineReason
        let responseCode: String
    }

    static func refusal(of instrument: PaymentInstrument) -> Refusal? {
        guard case .networkToken(let token) = instrument else { return nil }
        return self.refusals[token.pan.reveal()]
    }

    private static let refusals = [
        "4242421602184242": Refusal(reason: .doNotHonor, responseCode: "05"),
        "4242422204184242": Refusal(reason: .systemError, responseCode: "96"),
        "4242424010264242": Refusal(reason: .invalidOperation, responseCode: "94"),
        "4242424612284242": Refusal(reason: .notPermitted, responseCode: "03"),
        "4242426418294242": Refusal(reason: .exceedsLimit, responseCode: "13"),
        "4242427622294242": Refusal(reason: .invalidOperation, responseCode: "26"),
        "4242428826394242": Refusal(reason: .unspecified, responseCode: "06"),
    ]
}
