//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

// MARK: - Adjustments

extension Situation {
    static let adjustments: [Situation] = [
        Situation(
            "authorized, and to be adjusted", "open 1000, a succeeds",
            """
            j adjust 0           : amountNotPositive
            j adjust -1          : amountNotPositive
            j adjust 10USD       : currencyDiffers
            j adjust 1           : authorized 1000/0/0
            j adjust 1000        : authorized 1000/0/0
            j adjust 1000000     : authorized 1000/0/0
            """),
        Situation(
            "adjustment before the authorization is known", "open 1000",
            """
            j adjust 1           : authorizationPending
            """),
        Situation(
            "adjustment of a declined authorization", "open 1000, a declined",
            """
            j adjust 1           : authorizationFailed
            """),
        Situation(
            "adjustment up pending", "open 1000, a succeeds, j adjust 1500",
            """
            j succeeds           : authorized 1500/0/0 + hold 500
            j succeeds 1499      : partialApprovalNotAccepted
            j succeeds 1501      : approvalExceedsRequest
            j declined           : authorized 1000/0/0
            j unknown            : authorized 1000/0/0
            k adjust 1           : adjustmentPending
            c capture 1000       : authorized 1000/0/0
            c capture 1001       : adjustmentPending
            c capture 1500       : adjustmentPending
            c capture 1501       : captureExceedsAuthorized
            c capture 1 final    : adjustmentPending
            v void               : adjustmentPending
            v void a             : adjustmentPending
            v void j             : notVoidable
            x reversal j         : authorized 1000/0/0
            """),
        Situation(
            "adjustment down pending", "open 1000, a succeeds, j adjust 600",
            """
            j succeeds           : authorized 600/0/0 + release 400
            j declined           : authorized 1000/0/0
            c capture 600        : authorized 1000/0/0
            c capture 601        : adjustmentPending
            """),
        Situation(
            "adjustment down unknown", "open 1000, a succeeds, j adjust 600, j unknown",
            """
            j succeeds           : authorized 600/0/0 + release 400
            j declined           : authorized 1000/0/0
            k adjust 700         : adjustmentPending
            c capture 600        : authorized 1000/0/0
            c capture 601        : adjustmentPending
            v void               : adjustmentPending
            """),
        Situation(
            "adjustment to the same total", "open 1000, a succeeds, j adjust 1000",
            """
            j succeeds           : authorized 1000/0/0
            """),
        Situation(
            "adjustment declined", "open 1000, a succeeds, j adjust 600, j declined",
            """
            c capture 1000       : authorized 1000/0/0
            v void               : authorized 1000/0/0
            k adjust 1           : authorized 1000/0/0
            """),
        Situation(
            "adjusted up", "open 1000, a succeeds, j adjust 1500, j succeeds",
            """
            c capture 1500       : authorized 1500/0/0
            c capture 1501       : captureExceedsAuthorized
            k adjust 1           : authorized 1500/0/0
            v void               : authorized 1500/0/0
            v void j             : notVoidable
            x reversal j         : operationAlreadyResolved
            """),
        Situation(
            "adjusted, and the void pending", "open 1000, a succeeds, j adjust 1500, j succeeds, v void",
            """
            v succeeds           : voided 1500/0/0 + release 1500
            """),
        Situation(
            "adjusted twice, pending", "open 1000, a succeeds, j adjust 1500, j succeeds, k adjust 200",
            """
            k succeeds           : authorized 200/0/0 + release 1300
            k declined           : authorized 1500/0/0
            """),
        Situation(
            "adjusted down, and captured by a final capture",
            "open 1000, a succeeds, j adjust 600, j succeeds, c capture 500 final",
            """
            c succeeds           : captured 600/500/0 + capture 500 + release 100
            """),
        Situation(
            "partial approval adjusted to all", "open 1000 partial, a succeeds 400, j adjust 1000",
            """
            j succeeds           : authorized 1000/0/0 + hold 600
            """),
        Situation(
            "partially captured, and to be adjusted", "open 1000, a succeeds, c capture 400, c succeeds",
            """
            j adjust 399         : adjustmentBelowCaptured
            j adjust 400         : partiallyCaptured 1000/400/0
            """),
        Situation(
            "adjusted down to what is captured", "open 1000, a succeeds, c capture 400, c succeeds, j adjust 400",
            """
            j succeeds           : captured 400/400/0 + release 600
            """),
        Situation(
            "capture begun while an adjustment is pending", "open 1000, a succeeds, j adjust 600, c capture 600",
            """
            j succeeds           : authorized 600/0/0 + release 400
            c succeeds           : partiallyCaptured 1000/600/0 + capture 600
            d capture 1          : capturePending
            """),
        Situation(
            "adjustment while a capture is pending", "open 1000, a succeeds, c capture 400",
            """
            j adjust 2000        : capturePending
            """),
        Situation(
            "adjustment after the final capture", "open 1000, a succeeds, c capture 400 final, c succeeds",
            """
            j adjust 2000        : captureIsFinal
            """),
        Situation(
            "adjustment of a sale", "open 1000 sale, a succeeds",
            """
            j adjust 2000        : captureIsFinal
            """),
        Situation(
            "adjustment while a void is pending", "open 1000, a succeeds, v void",
            """
            j adjust 2000        : voidPending
            """),
        Situation(
            "adjustment after a void", "open 1000, a succeeds, v void, v succeeds",
            """
            j adjust 2000        : alreadyVoided
            """),
        Situation(
            "reversal of an adjustment pending", "open 1000, a succeeds, j adjust 600, j unknown, x reversal j",
            """
            x succeeds           : authorized 1000/0/0
            j succeeds           : reversalPending
            c capture 601        : adjustmentPending
            """),
        Situation(
            "adjustment reversed", "open 1000, a succeeds, j adjust 600, j unknown, x reversal j, x succeeds",
            """
            j succeeds           : operationAlreadyResolved
            c capture 1000       : authorized 1000/0/0
            """),
    ]

    // MARK: - Verifications

    static let verifications: [Situation] = [
        Situation(
            "verifying", "verify 0",
            """
            a succeeds           : verified 0/0/0
            a succeeds 1         : approvalExceedsRequest
            a succeeds -1        : approvalExceedsRequest
            a succeeds 0USD      : approvalExceedsRequest
            a declined           : declined 0/0/0
            a unknown            : authorizationUnknown 0/0/0
            a reversed           : reversed 0/0/0
            c capture 1          : verificationOnly
            v void               : verificationOnly
            v void a             : verificationOnly
            r refund 1           : verificationOnly
            j adjust 1           : verificationOnly
            x reversal a         : authorizing 0/0/0
            """),
        Situation(
            "verification unknown", "verify 0, a unknown",
            """
            a succeeds           : verified 0/0/0
            a declined           : declined 0/0/0
            c capture 1          : verificationOnly
            x reversal a         : authorizationUnknown 0/0/0
            """),
        Situation(
            "verified", "verify 0, a succeeds",
            """
            a succeeds           : operationAlreadyResolved
            c capture 0          : verificationOnly
            c capture 1          : verificationOnly
            v void               : verificationOnly
            v void a             : verificationOnly
            r refund 1           : verificationOnly
            j adjust 1           : verificationOnly
            x reversal a         : operationAlreadyResolved
            """),
        Situation(
            "verification declined", "verify 0, a declined",
            """
            c capture 1          : verificationOnly
            """),
        Situation(
            "reversal of a verification pending", "verify 0, a unknown, x reversal a",
            """
            x succeeds           : reversed 0/0/0
            x succeeds 1         : approvalExceedsRequest
            x declined           : authorizationUnknown 0/0/0
            a succeeds           : reversalPending
            """),
    ]
}
