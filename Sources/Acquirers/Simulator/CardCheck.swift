//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Payments
import Redaction
import Time

/// What an issuer would refuse on sight.
enum CardCheck {
    /// Why the instrument can't be charged at a moment; `nil` where it can.
    static func refusal(
        of instrument: PaymentInstrument, at now: Timestamp, takesSealedTokens: Bool
    ) -> DeclineReason? {
        switch instrument {
        case .networkToken(let token): return self.refusal(of: token, at: now)
        case .sealedApplePayToken(let sealed):
            guard takesSealedTokens else { return .notPermitted }
            return sealed.paymentData.reveal().isEmpty || sealed.transactionIdentifier.isEmpty ? .invalidCard : nil
        }
    }

    private static func refusal(of token: NetworkToken, at now: Timestamp) -> DeclineReason? {
        guard self.isNumber(token.pan), let endsAt = self.end(ofYearMonth: token.expiryYearMonth) else {
            return .invalidCard
        }
        if case .securityCode = token.proof, self.isDeviceNumber(token.pan) { return .notPermitted }
        return now < endsAt ? nil : .expiredCard
    }

    /// The ranges out of which the wallet simulator's cards have their device account numbers. No card is printed with
    /// one: without a cryptogram it proves nothing (EMV Payment Tokenisation Specification, section 6).
    private static let deviceRanges = [
        "489537", "489538", "520424", "520425", "379999", "651099", "356999", "625899", "672599",
    ]

    private static func isDeviceNumber(_ pan: Redacted<String>) -> Bool {
        self.deviceRanges.contains { pan.reveal().hasPrefix($0) }
    }

    private static func isNumber(_ pan: Redacted<String>) -> Bool {
        let digits = pan.reveal().utf8
        return (12...19).contains(digits.count) && Luhn.passes(digits)
    }

    /// When a card that is valid through a month ("YYMM") stops being valid: the first moment of the next one.
    private static func end(ofYearMonth text: String) -> Timestamp? {
        let digits = Array(text.utf8)
        guard digits.count == 4, digits.allSatisfy(ASCII.isDigit) else { return nil }
        let year = 2000 + Int(digits[0] - 0x30) * 10 + Int(digits[1] - 0x30)
        let month = Int(digits[2] - 0x30) * 10 + Int(digits[3] - 0x30)
        guard (1...12).contains(month) else { return nil }
        let next = CivilTime(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
        return next?.timestamp()
    }
}
