//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Testing

/// A payment in some situation, and what comes of each event there. A line is an event and, behind the colon, its
/// result: the refusal, or the state, authorized/captured/refunded, and what was booked.
struct Situation: Sendable, CustomTestStringConvertible {
    let name: String
    /// How it came to it.
    let story: String
    let table: String

    var testDescription: String { self.name }

    init(_ name: String, _ story: String, _ table: String) {
        self.name = name
        self.story = story.replacingCommas
        self.table = table
    }

    var rows: [(event: String, result: String)] {
        self.table.split(separator: "\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmed }
            return (parts.first ?? "", parts.last ?? "")
        }
    }

    /// All of them.
    static let all =
        Situation.authorizations + Situation.captures + Situation.voids + Situation.refunds + Situation.reversals
        + Situation.targetedVoids + Situation.targetedRefunds + Situation.adjustments + Situation.verifications
        + Situation.undecided + Situation.reports
}

extension String {
    fileprivate var replacingCommas: String {
        self.split(separator: ",").map { $0.trimmed }.joined(separator: "\n")
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(self.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension Situation {
    static let authorizations: [Situation] = [
        Situation(
            "authorizing", "open 1000",
            """
            a succeeds           : authorized 1000/0/0 + hold 1000
            a succeeds 1000      : authorized 1000/0/0 + hold 1000
            a succeeds 999       : partialApprovalNotAccepted
            a succeeds 1001      : approvalExceedsRequest
            a succeeds 0         : approvalExceedsRequest
            a succeeds -1        : approvalExceedsRequest
            a succeeds 1000USD   : approvalExceedsRequest
            a declined           : declined 0/0/0
            a unknown            : authorizationUnknown 0/0/0
            a reversed           : reversed 0/0/0
            c capture 1000       : authorizationPending
            v void               : authorizationPending
            r refund 1           : authorizationPending
            x reversal a         : authorizing 0/0/0
            x reversal c         : operationNotFound
            c succeeds           : operationNotFound
            c unknown            : operationNotFound
            """),
        Situation(
            "authorization unknown", "open 1000, a unknown",
            """
            a succeeds           : authorized 1000/0/0 + hold 1000
            a succeeds 500       : partialApprovalNotAccepted
            a declined           : declined 0/0/0
            a unknown            : authorizationUnknown 0/0/0
            a reversed           : reversed 0/0/0
            c capture 1000       : authorizationUnknown
            v void               : authorizationUnknown
            r refund 1           : authorizationUnknown
            x reversal a         : authorizationUnknown 0/0/0
            """),
        Situation(
            "declined", "open 1000, a declined",
            """
            a succeeds           : operationAlreadyResolved
            a declined           : operationAlreadyResolved
            a unknown            : operationAlreadyResolved
            c capture 1000       : authorizationFailed
            v void               : authorizationFailed
            r refund 1           : authorizationFailed
            x reversal a         : operationAlreadyResolved
            """),
        Situation(
            "reversed", "open 1000, a unknown, x reversal a, x succeeds",
            """
            a succeeds           : operationAlreadyResolved
            a unknown            : operationAlreadyResolved
            x succeeds           : operationAlreadyResolved
            c capture 1000       : authorizationFailed
            v void               : authorizationFailed
            r refund 1           : authorizationFailed
            y reversal a         : operationAlreadyResolved
            """),
        Situation(
            "authorized", "open 1000, a succeeds",
            """
            a succeeds           : operationAlreadyResolved
            c capture 1000       : authorized 1000/0/0
            c capture 1000 final : authorized 1000/0/0
            c capture 1          : authorized 1000/0/0
            c capture 1001       : captureExceedsAuthorized
            c capture 0          : amountNotPositive
            c capture -1         : amountNotPositive
            c capture 10USD      : currencyDiffers
            v void               : authorized 1000/0/0
            r refund 1           : notCaptured
            r refund 0           : amountNotPositive
            r refund 1USD        : currencyDiffers
            x reversal a         : operationAlreadyResolved
            """),
        Situation(
            "partial approval", "open 1000 partial",
            """
            a succeeds           : authorized 1000/0/0 + hold 1000
            a succeeds 400       : authorized 400/0/0 + hold 400
            a succeeds 1         : authorized 1/0/0 + hold 1
            a succeeds 0         : approvalExceedsRequest
            a succeeds 1001      : approvalExceedsRequest
            a succeeds 400USD    : approvalExceedsRequest
            """),
        Situation(
            "partially approved", "open 1000 partial, a succeeds 400",
            """
            c capture 401        : captureExceedsAuthorized
            c capture 400        : authorized 400/0/0
            v void               : authorized 400/0/0
            """),
        Situation(
            "sale", "open 1000 sale",
            """
            a succeeds           : captured 1000/1000/0 + hold 1000 + capture 1000
            a succeeds 400       : partialApprovalNotAccepted
            a declined           : declined 0/0/0
            a unknown            : authorizationUnknown 0/0/0
            s succeeds           : operationNotFound
            c capture 1          : authorizationPending
            """),
        Situation(
            "sale that takes a partial approval", "open 1000 sale partial",
            """
            a succeeds 400       : captured 400/400/0 + hold 400 + capture 400
            a succeeds           : captured 1000/1000/0 + hold 1000 + capture 1000
            """),
        Situation(
            "sold", "open 1000 sale, a succeeds",
            """
            s succeeds           : operationAlreadyResolved
            x reversal s         : operationAlreadyResolved
            c capture 1          : captureIsFinal
            v void               : alreadyCaptured
            r refund 1001        : refundExceedsCaptured
            r refund 1000        : captured 1000/1000/0
            """),
    ]

    static let captures: [Situation] = [
        Situation(
            "capture pending", "open 1000, a succeeds, c capture 400",
            """
            c succeeds           : partiallyCaptured 1000/400/0 + capture 400
            c succeeds 399       : partialApprovalNotAccepted
            c succeeds 401       : approvalExceedsRequest
            c declined           : authorized 1000/0/0
            c unknown            : authorized 1000/0/0
            c reversed           : authorized 1000/0/0
            d capture 600        : authorized 1000/0/0
            d capture 601        : capturePending
            d capture 1000       : capturePending
            d capture 1001       : captureExceedsAuthorized
            d capture 600 final  : capturePending
            v void               : capturePending
            r refund 1           : capturePending
            x reversal c         : authorized 1000/0/0
            """),
        Situation(
            "capture unknown", "open 1000, a succeeds, c capture 400, c unknown",
            """
            c succeeds           : partiallyCaptured 1000/400/0 + capture 400
            c declined           : authorized 1000/0/0
            d capture 600        : authorized 1000/0/0
            d capture 601        : capturePending
            d capture 600 final  : capturePending
            v void               : capturePending
            r refund 1           : capturePending
            x reversal c         : authorized 1000/0/0
            """),
        Situation(
            "capture declined", "open 1000, a succeeds, c capture 1000 final, c declined",
            """
            c succeeds           : operationAlreadyResolved
            d capture 1000 final : authorized 1000/0/0
            v void               : authorized 1000/0/0
            r refund 1           : notCaptured
            """),
        Situation(
            "capture reversed", "open 1000, a succeeds, c capture 1000 final, c unknown, x reversal c, x succeeds",
            """
            c succeeds           : operationAlreadyResolved
            d capture 1000 final : authorized 1000/0/0
            v void               : authorized 1000/0/0
            r refund 1           : notCaptured
            """),
        Situation(
            "partially captured", "open 1000, a succeeds, c capture 400, c succeeds",
            """
            d capture 600        : partiallyCaptured 1000/400/0
            d capture 100 final  : partiallyCaptured 1000/400/0
            d capture 601        : captureExceedsAuthorized
            v void               : alreadyCaptured
            r refund 400         : partiallyCaptured 1000/400/0
            r refund 401         : refundExceedsCaptured
            x reversal c         : operationAlreadyResolved
            """),
        Situation(
            "last capture pending", "open 1000, a succeeds, c capture 400, c succeeds, d capture 600",
            """
            d succeeds           : captured 1000/1000/0 + capture 600
            d declined           : partiallyCaptured 1000/400/0
            e capture 1          : capturePending
            e capture 601        : captureExceedsAuthorized
            e capture 1 final    : capturePending
            v void               : capturePending
            r refund 400         : partiallyCaptured 1000/400/0
            r refund 401         : capturePending
            r refund 1000        : capturePending
            r refund 1001        : refundExceedsCaptured
            """),
        Situation(
            "final capture pending", "open 1000, a succeeds, c capture 400 final",
            """
            c succeeds           : captured 1000/400/0 + capture 400 + release 600
            c declined           : authorized 1000/0/0
            c unknown            : authorized 1000/0/0
            d capture 1          : capturePending
            d capture 1 final    : capturePending
            v void               : capturePending
            r refund 1           : capturePending
            """),
        Situation(
            "final capture after others", "open 1000, a succeeds, c capture 400, c succeeds, d capture 100 final",
            """
            d succeeds           : captured 1000/500/0 + capture 100 + release 500
            d reversed           : partiallyCaptured 1000/400/0
            """),
        Situation(
            "final capture of all", "open 1000, a succeeds, c capture 1000 final",
            """
            c succeeds           : captured 1000/1000/0 + capture 1000
            """),
        Situation(
            "captured by a final capture", "open 1000, a succeeds, c capture 400 final, c succeeds",
            """
            d capture 1          : captureIsFinal
            d capture 1 final    : captureIsFinal
            v void               : alreadyCaptured
            r refund 401         : refundExceedsCaptured
            r refund 400         : captured 1000/400/0
            """),
        Situation(
            "captured in full", "open 1000, a succeeds, c capture 1000, c succeeds",
            """
            d capture 1          : captureExceedsAuthorized
            v void               : alreadyCaptured
            r refund 1000        : captured 1000/1000/0
            """),
    ]
}
