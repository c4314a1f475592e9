//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction

/// The primes that the vendor publishes for its sandbox (TapPay, "Test primes"). They pay any number of times.
enum PublishedPrime: String, Hashable, Sendable, CaseIterable {
    case directPay = "test_3a2fb2b7e892b914a03c95dd4dd5dc7970c908df67a49527c0a648b2bc9"
    case applePay = "ap_test_utigjeyfutj5867uyjhuty47rythfjru485768tigjfheufhtu5i6ojk"

    static let cryptogramBytesCount = 20

    /// Records' `payment_method`.
    var paymentMethod: String {
        switch self {
        case .directPay: "direct_pay"
        case .applePay: "apple_pay"
        }
    }

    /// "Set amount 12": of Apple Pay's, the page gives the amount of the payment sheet. Its currency is TWD, the one
    /// that counts where a request names none.
    private var amount: Money? {
        switch self {
        case .directPay: nil
        case .applePay: WireCurrency.twd.money(12)
        }
    }

    func check(_ asked: Money) throws(TapPayFailure) {
        guard let amount = self.amount, asked != amount else { return }
        throw TapPayFailure(
            asked.currency == amount.currency ? .inconsistentAmount : .inconsistentCurrency,
            "The published prime of Apple Pay pays 12 TWD.")
    }

    /// The vendor's test card (TapPay, "Test cards"), which no issuer has given out: typed in, or with a device's
    /// cryptogram, another one for every payment.
    func card(cryptogram: [UInt8]) -> NetworkToken {
        let proof: NetworkToken.Proof =
            switch self {
            case .directPay: .securityCode(nil)
            case .applePay: .cryptogram(Redacted(cryptogram))
            }
        return NetworkToken(
            pan: Redacted("4242424242424242"), expiryYearMonth: "9912", proof: proof, eci: nil)
    }
}
