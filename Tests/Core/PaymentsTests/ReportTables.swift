//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

// MARK: - What acquirers report by themselves

extension Situation {
    static let reports: [Situation] = Self.lateFailures + Self.afterLateFailures + Self.chargebacks

    private static let lateFailures: [Situation] = [
        Situation(
            "reports on what is not known", "open 1000",
            """
            f failure a          : authorizationPending
            f failure z          : operationNotFound
            b chargeback 1       : refundExceedsCaptured
            """),
        Situation(
            "reports on what was declined", "open 1000, a declined",
            """
            f failure a          : operationAlreadyResolved
            b chargeback 1       : refundExceedsCaptured
            """),
        Situation(
            "reports on an authorization", "open 1000, a succeeds",
            """
            f failure a          : declined 1000/0/0 + failure 1000
            f failure a fee 25   : declined 1000/0/0 + failure 1000 + fee 25
            f failure a fee 0    : amountNotPositive
            f failure a fee 1USD : currencyDiffers
            f failure z          : operationNotFound
            b chargeback 1       : refundExceedsCaptured
            b chargeback 0       : amountNotPositive
            b chargeback 1USD    : currencyDiffers
            """),
        Situation(
            "failure of a partial approval", "open 1000 partial, a succeeds 400",
            """
            f failure a          : declined 400/0/0 + failure 400
            """),
        Situation(
            "failure of an authorization that was adjusted", "open 1000, a succeeds, j adjust 1500, j succeeds",
            """
            f failure j          : notVoidable
            f failure a          : declined 1500/0/0 + failure 1500
            """),
        Situation(
            "failure of an authorization that was voided", "open 1000, a succeeds, v void, v succeeds",
            """
            f failure a          : alreadyVoided
            f failure v          : notVoidable
            """),
        Situation(
            "reports on a verification", "verify 0, a succeeds",
            """
            f failure a          : notVoidable
            b chargeback 1       : refundExceedsCaptured
            """),
        Situation(
            "failure of a sale", "open 1000 sale, a succeeds",
            """
            f failure a          : declined 1000/0/0 + failure 1000
            f failure s          : declined 1000/0/0 + failure 1000
            """),
        Situation(
            "failure of a sale of which a part was refunded", "open 1000 sale, a succeeds, r refund 300, r succeeds",
            """
            f failure r          : captured 1000/1000/0 + failure 300
            f failure a          : declined 1000/0/300 + failure 1000
            """),
        Situation(
            "failure of a capture", "open 1000, a succeeds, c capture 400, c succeeds",
            """
            f failure c          : authorized 1000/0/0 + failure 400
            f failure a          : alreadyCaptured
            """),
        Situation(
            "failure of a final capture", "open 1000, a succeeds, c capture 400 final, c succeeds",
            """
            f failure c          : authorized 1000/0/0 + failure 1000
            """),
        Situation(
            "failure of a capture that was refunded",
            "open 1000, a succeeds, c capture 400, c succeeds, r refund 400, r succeeds",
            """
            f failure c          : authorized 1000/0/400 + failure 400
            """),
    ]

    private static let afterLateFailures: [Situation] = [
        Situation(
            "authorization that came to nothing", "open 1000, a succeeds, f failure a",
            """
            g failure a          : operationAlreadyResolved
            g failure f          : notVoidable
            a succeeds           : operationAlreadyResolved
            c capture 1          : authorizationFailed
            v void               : authorizationFailed
            v void a             : authorizationFailed
            r refund 1           : authorizationFailed
            j adjust 1           : authorizationFailed
            x reversal a         : operationAlreadyResolved
            x reversal f         : operationAlreadyResolved
            b chargeback 1       : refundExceedsCaptured
            """),
        Situation(
            "sale that came to nothing", "open 1000 sale, a succeeds, f failure s",
            """
            g failure a          : operationAlreadyResolved
            g failure s          : operationAlreadyResolved
            c capture 1          : authorizationFailed
            v void s             : authorizationFailed
            r refund 1           : authorizationFailed
            b chargeback 1       : refundExceedsCaptured
            """),
        Situation(
            "void under way as its authorization came to nothing", "open 1000, a succeeds, v void, f failure a",
            """
            v succeeds           : declined 1000/0/0
            v declined           : declined 1000/0/0
            w void               : authorizationFailed
            c capture 1          : authorizationFailed
            """),
        Situation(
            "capture under way as its authorization came to nothing",
            "open 1000, a succeeds, c capture 400, f failure a",
            """
            c succeeds           : declined 1000/400/0 + capture 400
            c declined           : declined 1000/0/0
            d capture 1          : authorizationFailed
            r refund 1           : authorizationFailed
            """),
        Situation(
            "captured although its authorization came to nothing",
            "open 1000, a succeeds, c capture 400, f failure a, c succeeds",
            """
            r refund 400         : declined 1000/400/0
            r refund 401         : refundExceedsCaptured
            d capture 1          : authorizationFailed
            v void c             : authorizationFailed
            b chargeback 400     : declined 1000/400/0 + chargeback 400
            g failure c          : declined 1000/0/0 + failure 400
            g failure a          : operationAlreadyResolved
            """),
        Situation(
            "capture that came to nothing", "open 1000, a succeeds, c capture 400 final, c succeeds, f failure c",
            """
            d capture 1000       : authorized 1000/0/0
            d capture 1001       : captureExceedsAuthorized
            j adjust 1           : authorized 1000/0/0
            v void               : authorized 1000/0/0
            v void c             : notVoidable
            r refund 1           : notCaptured
            r refund 1 c         : notCaptured
            b chargeback 1       : refundExceedsCaptured
            g failure c          : operationAlreadyResolved
            g failure a          : declined 1000/0/0 + failure 1000
            """),
        Situation(
            "one of two captures came to nothing",
            "open 1000, a succeeds, c capture 400, c succeeds, d capture 100, d succeeds, f failure c",
            """
            r refund 1 c         : notCaptured
            r refund 100 d       : partiallyCaptured 1000/100/0
            v void c             : notVoidable
            """),
        Situation(
            "adjustment after a capture came to nothing",
            "open 1000, a succeeds, c capture 400, c succeeds, f failure c, j adjust 600",
            """
            j succeeds           : authorized 600/0/0 + release 400
            """),
        Situation(
            "adjustment up after a capture came to nothing",
            "open 1000, a succeeds, c capture 400, c succeeds, f failure c, j adjust 1500",
            """
            j succeeds           : authorized 1500/0/0 + hold 500
            """),
        Situation(
            "refund that came to nothing", "open 1000 sale, a succeeds, r refund 1000, r succeeds, f failure r",
            """
            t refund 1000        : captured 1000/1000/0
            t refund 1001        : refundExceedsCaptured
            v void r             : notVoidable
            v void s             : captured 1000/1000/0
            g failure r          : operationAlreadyResolved
            """),
        Situation(
            "void of a sale after a refund came to nothing",
            "open 1000 sale, a succeeds, r refund 300, r succeeds, f failure r, v void s",
            """
            v succeeds           : voided 1000/0/0 + void 1000
            """),
        Situation(
            "refunded capture that came to nothing",
            "open 1000, a succeeds, c capture 400, c succeeds, r refund 400, r succeeds, f failure c",
            """
            t refund 1           : notCaptured
            d capture 1000       : authorized 1000/0/400
            """),
    ]

    private static let chargebacks: [Situation] = [
        Situation(
            "chargeback of a sale", "open 1000 sale, a succeeds",
            """
            b chargeback 400     : captured 1000/1000/0 + chargeback 400
            b chargeback 1000    : captured 1000/1000/0 + chargeback 1000
            b chargeback 1001    : refundExceedsCaptured
            b chargeback 1 fee 2 : captured 1000/1000/0 + chargeback 1 + fee 2
            """),
        Situation(
            "chargeback of what was refunded", "open 1000 sale, a succeeds, r refund 300, r succeeds",
            """
            b chargeback 1000    : partiallyRefunded 1000/1000/300 + chargeback 1000
            b chargeback 1001    : refundExceedsCaptured
            """),
        Situation(
            "charged back in part", "open 1000 sale, a succeeds, b chargeback 400 as cb1",
            """
            d chargeback 600 as cb2 : captured 1000/1000/0 + chargeback 600
            d chargeback 601 as cb2 : refundExceedsCaptured
            d chargeback 100 as cb1 : operationAlreadyResolved
            f failure b as cb1   : operationAlreadyResolved
            f failure b as cb2   : captured 1000/1000/0 + failure 400
            r refund 600         : captured 1000/1000/0
            r refund 601         : refundExceedsCaptured
            v void s             : alreadyRefunded
            v void b             : notVoidable
            x reversal b         : operationAlreadyResolved
            """),
        Situation(
            "charged back", "open 1000 sale, a succeeds, b chargeback 1000",
            """
            r refund 1           : refundExceedsCaptured
            d chargeback 1       : refundExceedsCaptured
            """),
        Situation(
            "chargeback that was given up", "open 1000 sale, a succeeds, b chargeback 400, f failure b",
            """
            r refund 1000        : captured 1000/1000/0
            d chargeback 1000    : captured 1000/1000/0 + chargeback 1000
            v void s             : captured 1000/1000/0
            v void b             : notVoidable
            g failure b          : operationAlreadyResolved
            """),
    ]
}
