//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments

extension DeclineReason {
    /// `DeclineReason` of a settlement that was refused and `ExtendedResponseCode` of a cancellation that failed. Of the
    /// vendor's words only NoAuthFoundException is public; the others are those of this gateway's own dialect, and the
    /// issuer's two digits.
    init(radial word: String?) {
        switch word {
        case "DoNotHonor": self = .doNotHonor
        case "InsufficientFunds": self = .insufficientFunds
        case "ExpiredCard": self = .expiredCard
        case "InvalidCard": self = .invalidCard
        case "LostOrStolenCard": self = .lostOrStolenCard
        case "SuspectedFraud": self = .suspectedFraud
        case "ExceedsLimit": self = .exceedsLimit
        case "NotPermitted": self = .notPermitted
        case "IssuerUnavailable": self = .issuerUnavailable
        case "TimedOut": self = .timedOut
        case "SystemError", "NotProcessed": self = .systemError
        case "NoAuthFoundException": self = .invalidOperation
        default: self = word.flatMap { DeclineReason(issuerResponseCode: $0) } ?? .unspecified
        }
    }
}
