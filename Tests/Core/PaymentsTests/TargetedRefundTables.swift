//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

// MARK: - Refunds of a capture that they name

extension Situation {
    private static let twoCaptures = "open 1000, a succeeds, c capture 400, c succeeds, d capture 600, d succeeds"

    static let targetedRefunds: [Situation] = [
        Situation(
            "refund of one of two captures", Self.twoCaptures,
            """
            r refund 400 c       : captured 1000/1000/0
            r refund 401 c       : refundExceedsCaptured
            r refund 500 c       : refundExceedsCaptured
            r refund 500 d       : captured 1000/1000/0
            r refund 601 d       : refundExceedsCaptured
            r refund 1000        : captured 1000/1000/0
            r refund 1 a         : operationNotFound
            r refund 1 z         : operationNotFound
            """),
        Situation(
            "refund of a capture while another of it is pending", Self.twoCaptures + ", r refund 300 c",
            """
            s refund 100 c       : captured 1000/1000/0
            s refund 101 c       : refundPending
            s refund 400 c       : refundPending
            s refund 401 c       : refundExceedsCaptured
            s refund 600 d       : captured 1000/1000/0
            v void c             : refundPending
            v void d             : captured 1000/1000/0
            r declined           : captured 1000/1000/0
            """),
        Situation(
            "refund of a capture that has been refunded", Self.twoCaptures + ", r refund 400 c, r succeeds",
            """
            s refund 1 c         : alreadyRefunded
            s refund 600 d       : partiallyRefunded 1000/1000/400
            v void c             : alreadyRefunded
            v void r             : partiallyRefunded 1000/1000/400
            """),
        Situation(
            "refund of a capture whose refund has been voided",
            Self.twoCaptures + ", r refund 400 c, r succeeds, v void r, v succeeds",
            """
            s refund 400 c       : captured 1000/1000/0
            w void c             : captured 1000/1000/0
            """),
        Situation(
            "refund of a capture that has been voided", Self.twoCaptures + ", v void c, v succeeds",
            """
            r refund 1 c         : alreadyVoided
            r refund 600 d       : partiallyCaptured 1000/600/0
            """),
        Situation(
            "refund of captures that are not known to have succeeded",
            "open 1000, a succeeds, b capture 100, b succeeds, c capture 100, d capture 100, d unknown, "
                + "e capture 100, e declined",
            """
            r refund 1 c         : capturePending
            r refund 1 d         : capturePending
            r refund 1 e         : notCaptured
            r refund 100 b       : partiallyCaptured 1000/100/0
            """),
        Situation(
            "refund of a sale by its capture", "open 1000 sale, a succeeds",
            """
            r refund 1000 s      : captured 1000/1000/0
            r refund 1 a         : operationNotFound
            """),
    ]
}
