//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension Situation {
    /// What an acquirer has and has not decided, and what it has not processed.
    static let undecided: [Situation] = [
        Situation(
            "authorization accepted", "open 1000, a accepted",
            """
            a succeeds           : authorized 1000/0/0 + hold 1000
            a succeeds 999       : partialApprovalNotAccepted
            a declined           : declined 0/0/0
            a accepted           : authorizing 0/0/0
            a unknown            : authorizationUnknown 0/0/0
            a notProcessed       : notProcessed 0/0/0
            c capture 1000       : authorizationPending
            v void               : authorizationPending
            r refund 1           : authorizationPending
            x reversal a         : operationAlreadyResolved
            """),
        Situation(
            "capture accepted", "open 1000, a succeeds, c capture 600, c accepted",
            """
            c succeeds           : partiallyCaptured 1000/600/0 + capture 600
            c declined           : authorized 1000/0/0
            c notProcessed       : authorized 1000/0/0
            d capture 400        : authorized 1000/0/0
            d capture 401        : capturePending
            v void               : capturePending
            r refund 1           : capturePending
            j adjust 1200        : capturePending
            x reversal c         : operationAlreadyResolved
            """),
        Situation(
            "authorization not processed", "open 1000, a notProcessed",
            """
            a succeeds           : operationAlreadyResolved
            a unknown            : operationAlreadyResolved
            c capture 1000       : authorizationFailed
            v void               : authorizationFailed
            r refund 1           : authorizationFailed
            x reversal a         : operationAlreadyResolved
            """),
    ]
}
