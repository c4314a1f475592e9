//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Testing

extension Situation {
    static let voids: [Situation] = [
        Situation(
            "void pending", "open 1000, a succeeds, v void",
            """
            v succeeds           : voided 1000/0/0 + release 1000
            v succeeds 999       : partialApprovalNotAccepted
            v succeeds 1001      : approvalExceedsRequest
            v declined           : authorized 1000/0/0
            v unknown            : authorized 1000/0/0
            c capture 1          : voidPending
            w void               : voidPending
            r refund 1           : voidPending
            x reversal v         : operationNotFound
            """),
        Situation(
            "void unknown", "open 1000, a succeeds, v void, v unknown",
            """
            v succeeds           : voided 1000/0/0 + release 1000
            v declined           : authorized 1000/0/0
            c capture 1          : voidPending
            w void               : voidPending
            r refund 1           : voidPending
            """),
        Situation(
            "void declined", "open 1000, a succeeds, v void, v declined",
            """
            v succeeds           : operationAlreadyResolved
            c capture 1000       : authorized 1000/0/0
            w void               : authorized 1000/0/0
            r refund 1           : notCaptured
            """),
        Situation(
            "voided", "open 1000, a succeeds, v void, v succeeds",
            """
            v succeeds           : operationAlreadyResolved
            c capture 1          : alreadyVoided
            w void               : alreadyVoided
            r refund 1           : alreadyVoided
            x reversal a         : operationAlreadyResolved
            x reversal v         : operationNotFound
            """),
        Situation(
            "void of a partial approval", "open 1000 partial, a succeeds 400, v void",
            """
            v succeeds           : voided 400/0/0 + release 400
            v succeeds 1000      : approvalExceedsRequest
            """),
    ]

    static let refunds: [Situation] = [
        Situation(
            "refund pending", "open 1000 sale, a succeeds, r refund 300",
            """
            r succeeds           : partiallyRefunded 1000/1000/300 + refund 300
            r succeeds 299       : partialApprovalNotAccepted
            r succeeds 301       : approvalExceedsRequest
            r declined           : captured 1000/1000/0
            r unknown            : captured 1000/1000/0
            r reversed           : captured 1000/1000/0
            t refund 700         : captured 1000/1000/0
            t refund 701         : refundPending
            t refund 1000        : refundPending
            t refund 1001        : refundExceedsCaptured
            v void               : alreadyCaptured
            x reversal r         : captured 1000/1000/0
            """),
        Situation(
            "refund unknown", "open 1000 sale, a succeeds, r refund 1000, r unknown",
            """
            r succeeds           : refunded 1000/1000/1000 + refund 1000
            r declined           : captured 1000/1000/0
            t refund 1           : refundPending
            """),
        Situation(
            "refund declined", "open 1000 sale, a succeeds, r refund 1000, r declined",
            """
            t refund 1000        : captured 1000/1000/0
            """),
        Situation(
            "partially refunded", "open 1000 sale, a succeeds, r refund 300, r succeeds",
            """
            t refund 700         : partiallyRefunded 1000/1000/300
            t refund 701         : refundExceedsCaptured
            v void               : alreadyCaptured
            c capture 1          : captureIsFinal
            """),
        Situation(
            "refunded", "open 1000 sale, a succeeds, r refund 1000, r succeeds",
            """
            t refund 1           : alreadyRefunded
            v void               : alreadyCaptured
            """),
        Situation(
            "refunded, and more may be captured",
            "open 1000, a succeeds, c capture 400, c succeeds, r refund 400, r succeeds",
            """
            t refund 1           : alreadyRefunded
            d capture 600        : refunded 1000/400/400
            d capture 601        : captureExceedsAuthorized
            """),
        Situation(
            "captured again after a refund",
            "open 1000, a succeeds, c capture 400, c succeeds, r refund 400, r succeeds, d capture 600",
            """
            d succeeds           : partiallyRefunded 1000/1000/400 + capture 600
            d declined           : refunded 1000/400/400
            t refund 1           : alreadyRefunded
            """),
    ]

    static let reversals: [Situation] = [
        Situation(
            "reversal of an authorization pending", "open 1000, a unknown, x reversal a",
            """
            x succeeds           : reversed 0/0/0
            x succeeds 1         : partialApprovalNotAccepted
            x declined           : authorizationUnknown 0/0/0
            x unknown            : authorizationUnknown 0/0/0
            y reversal a         : reversalPending
            y reversal x         : operationNotFound
            a succeeds           : reversalPending
            a declined           : reversalPending
            a reversed           : reversalPending
            a unknown            : authorizationUnknown 0/0/0
            c capture 1          : authorizationUnknown
            """),
        Situation(
            "reversal unknown", "open 1000, a unknown, x reversal a, x unknown",
            """
            x succeeds           : reversed 0/0/0
            y reversal a         : reversalPending
            a succeeds           : reversalPending
            """),
        Situation(
            "reversal declined", "open 1000, a unknown, x reversal a, x declined",
            """
            y reversal a         : authorizationUnknown 0/0/0
            a succeeds           : authorized 1000/0/0 + hold 1000
            a declined           : declined 0/0/0
            """),
        Situation(
            "reversal of a sale pending", "open 1000 sale, a unknown, x reversal a",
            """
            x succeeds           : reversed 0/0/0
            a succeeds           : reversalPending
            """),
        Situation(
            "reversal of a capture pending", "open 1000, a succeeds, c capture 400, c unknown, x reversal c",
            """
            x succeeds           : authorized 1000/0/0
            c succeeds           : reversalPending
            d capture 600        : authorized 1000/0/0
            d capture 601        : capturePending
            v void               : capturePending
            """),
        Situation(
            "reversal of a refund pending", "open 1000 sale, a succeeds, r refund 1000, r unknown, x reversal r",
            """
            x succeeds           : captured 1000/1000/0
            r succeeds           : reversalPending
            t refund 1           : refundPending
            """),
    ]
}
