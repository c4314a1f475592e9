//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

// MARK: - Voids of what follows an authorization

extension Situation {
    static let targetedVoids: [Situation] = [
        Situation(
            "void of the authorization by its name", "open 1000, a succeeds",
            """
            v void a             : authorized 1000/0/0
            v void s             : operationNotFound
            v void v             : operationNotFound
            """),
        Situation(
            "void of the authorization by its name, pending", "open 1000, a succeeds, v void a",
            """
            v succeeds           : voided 1000/0/0 + release 1000
            v declined           : authorized 1000/0/0
            w void a             : voidPending
            """),
        Situation(
            "void of a captured authorization by its name", "open 1000, a succeeds, c capture 1, c succeeds",
            """
            v void a             : alreadyCaptured
            v void c             : partiallyCaptured 1000/1/0
            """),
        Situation(
            "void before the authorization is known", "open 1000, a unknown",
            """
            v void a             : authorizationUnknown
            v void c             : authorizationUnknown
            """),
        Situation(
            "void of a capture that is pending", "open 1000, a succeeds, c capture 400",
            """
            v void c             : capturePending
            """),
        Situation(
            "void of a capture that is unknown", "open 1000, a succeeds, c capture 400, c unknown",
            """
            v void c             : capturePending
            """),
        Situation(
            "void of a capture that was declined", "open 1000, a succeeds, c capture 400, c declined",
            """
            v void c             : notVoidable
            """),
        Situation(
            "void of a capture pending", "open 1000, a succeeds, c capture 400, c succeeds, v void c",
            """
            v succeeds           : authorized 1000/0/0 + void 400
            v succeeds 399       : partialApprovalNotAccepted
            v succeeds 401       : approvalExceedsRequest
            v declined           : partiallyCaptured 1000/400/0
            v unknown            : partiallyCaptured 1000/400/0
            d capture 1          : voidPending
            r refund 1           : voidPending
            w void c             : voidPending
            w void               : voidPending
            j adjust 2000        : voidPending
            x reversal v         : operationNotFound
            """),
        Situation(
            "capture voided", "open 1000, a succeeds, c capture 400, c succeeds, v void c, v succeeds",
            """
            w void c             : alreadyVoided
            w void v             : notVoidable
            w void               : authorized 1000/0/0
            r refund 1           : notCaptured
            d capture 1000       : authorized 1000/0/0
            d capture 1001       : captureExceedsAuthorized
            j adjust 1           : authorized 1000/0/0
            x reversal c         : operationAlreadyResolved
            """),
        Situation(
            "authorization voided after its capture was",
            "open 1000, a succeeds, c capture 400, c succeeds, v void c, v succeeds, w void",
            """
            w succeeds           : voided 1000/0/0 + release 1000
            """),
        Situation(
            "void of one of two captures",
            "open 1000, a succeeds, c capture 400, c succeeds, d capture 100, d succeeds, v void d",
            """
            v succeeds           : partiallyCaptured 1000/400/0 + void 100
            """),
        Situation(
            "void of a final capture", "open 1000, a succeeds, c capture 400 final, c succeeds, v void c",
            """
            v succeeds           : authorized 1000/0/0 + void 400
            v declined           : captured 1000/400/0
            """),
        Situation(
            "final capture voided", "open 1000, a succeeds, c capture 400 final, c succeeds, v void c, v succeeds",
            """
            d capture 1000 final : authorized 1000/0/0
            j adjust 1           : authorized 1000/0/0
            """),
        Situation(
            "void of a capture before the final one",
            "open 1000, a succeeds, c capture 400, c succeeds, d capture 100 final, d succeeds, v void c",
            """
            v succeeds           : captured 1000/100/0 + void 400
            """),
        Situation(
            "void of a capture of which a part is refunded",
            "open 1000, a succeeds, c capture 400, c succeeds, d capture 100, d succeeds, r refund 200, r succeeds",
            """
            v void c             : alreadyRefunded
            v void d             : partiallyRefunded 1000/500/200
            v void r             : partiallyRefunded 1000/500/200
            """),
        Situation(
            "void of a capture of which a refund is pending",
            "open 1000, a succeeds, c capture 400, c succeeds, r refund 1",
            """
            v void c             : refundPending
            v void r             : refundPending
            """),
        Situation(
            "void of a refund pending", "open 1000 sale, a succeeds, r refund 300, r succeeds, v void r",
            """
            v succeeds           : captured 1000/1000/0 + void 300
            v declined           : partiallyRefunded 1000/1000/300
            v unknown            : partiallyRefunded 1000/1000/300
            t refund 1           : voidPending
            """),
        Situation(
            "refund voided", "open 1000 sale, a succeeds, r refund 1000, r succeeds, v void r, v succeeds",
            """
            w void r             : alreadyVoided
            t refund 1000        : captured 1000/1000/0
            t refund 1001        : refundExceedsCaptured
            w void a             : captured 1000/1000/0
            """),
        Situation(
            "refund that failed", "open 1000 sale, a succeeds, r refund 1000, r declined",
            """
            v void r             : notVoidable
            """),
        Situation(
            "sale that is to be voided", "open 1000 sale, a succeeds",
            """
            v void               : alreadyCaptured
            v void a             : captured 1000/1000/0
            v void s             : captured 1000/1000/0
            """),
        Situation(
            "void of a sale pending", "open 1000 sale, a succeeds, v void s",
            """
            v succeeds           : voided 1000/0/0 + void 1000
            v declined           : captured 1000/1000/0
            v unknown            : captured 1000/1000/0
            r refund 1           : voidPending
            w void a             : voidPending
            """),
        Situation(
            "void of a sale that was approved in part", "open 1000 sale partial, a succeeds 400, v void a",
            """
            v succeeds           : voided 400/0/0 + void 400
            v succeeds 1000      : approvalExceedsRequest
            """),
        Situation(
            "sale voided", "open 1000 sale, a succeeds, v void a, v succeeds",
            """
            w void a             : alreadyVoided
            w void s             : alreadyVoided
            r refund 1           : alreadyVoided
            c capture 1          : alreadyVoided
            j adjust 1           : alreadyVoided
            """),
        Situation(
            "sale of which a part is being refunded", "open 1000 sale, a succeeds, r refund 1",
            """
            v void a             : refundPending
            v void s             : refundPending
            """),
        Situation(
            "sale of which a part has been refunded", "open 1000 sale, a succeeds, r refund 1, r succeeds",
            """
            v void a             : alreadyRefunded
            v void s             : alreadyRefunded
            """),
    ]
}
