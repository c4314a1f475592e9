//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What a number in `status` says of the request (TapPay, "Back-end Error Code"; docs/dialects/tappay-codes.md has the
/// texts). Total: a number that stands in none of the vendor's tables says nothing, and the outcome is open.
enum StatusMeaning: Hashable, Sendable {
    case done
    /// The bank has said no, or the card can't pay.
    case declined(DeclineReason)
    /// The bank's system failed. Whether before it did anything is not said.
    case bankFailed
    /// Nothing was done, and why is nobody's decline.
    case notProcessed(NotProcessedReason)
    /// The outcome has to be asked for.
    case open(UnknownReason)
    /// The prime is none that can pay: its time is over, or it has paid.
    case primeNotTaken
    /// What was sent as the operation's name has been used.
    case nameUsed
    case tokenNotTaken
    /// There is no such trade or refund, or it is in no state for this.
    case wrongState
    /// It can be refunded in part only once it is captured, and by some banks a day later (TapPay, "Reference", 5.).
    case notCapturedYet
    case notUnderstood

    static let amountOutOfRange: Int64 = 10_050

    init(_ status: Int64) {
        switch status {
        case 0: self = .done
        // The caller's address, the app, the partner, the merchant; the merchant's account at the bank.
        case 4, 11, 12, 13, 16, 61, 80, 81, 84, 10_008, 13_002: self = .notProcessed(.notAuthorized)
        // What is missing, has a wrong form, or is not in the contract.
        case 5, 31, 32, 33, 43, 66, 67, 70...75, 89, 126...132, 141, 501...669, 801...803, Self.amountOutOfRange:
            self = .notProcessed(.requestRefused)
        // The amount or the currency is not the one that the customer approved.
        case 909, 910: self = .notProcessed(.tokenRefused)
        case 41: self = .declined(.invalidCard)
        case 2013: self = .declined(.expiredCard)
        case 10_009: self = .declined(.exceedsLimit)
        case 10_003, 10_015, 10_023: self = .declined(.unspecified)
        case 10_005: self = .bankFailed
        case 421, 422: self = .open(.timedOut)
        case 915, 936, 10_001: self = .open(.unclear)
        case 91, 121: self = .primeNotTaken
        // 6002 stands in no table: the sandbox says it of a bank_refund_id that was sent before, also with what was refused.
        case 6001, 6002, 10_006, 10_013: self = .nameUsed
        case 122, 916, 917: self = .tokenNotTaken
        case 68, 92, 670, 934, 935, 4002, 4014, 10_011, 10_051, 11_000: self = .wrongState
        case 10_010, 10_024: self = .notCapturedYet
        default: self = .notUnderstood
        }
    }
}
