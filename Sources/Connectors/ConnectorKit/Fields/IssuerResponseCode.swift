//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

extension DeclineReason {
    /// What the issuer's response code says (ISO 8583:1987, field 39, in the meanings that the networks give it); `nil`
    /// for a code that says no more than "no", and for an approval.
    ///
    /// 65 is read as ISO has it, a limit of how often; some issuers in Europe mean by it that they want the cardholder
    /// authenticated, for which 1A is Visa's own.
    public init?(issuerResponseCode code: String) {
        switch code {
        case "01", "02", "05", "12": self = .doNotHonor
        case "04", "07", "41", "43": self = .lostOrStolenCard
        case "14", "15", "46": self = .invalidCard
        case "33", "54": self = .expiredCard
        case "51": self = .insufficientFunds
        case "57", "58", "62", "93", "1A": self = .notPermitted
        case "34", "59", "63": self = .suspectedFraud
        case "61", "65": self = .exceedsLimit
        case "68": self = .timedOut
        case "91", "92": self = .issuerUnavailable
        case "06", "30", "96": self = .systemError
        default: return nil
        }
    }
}
