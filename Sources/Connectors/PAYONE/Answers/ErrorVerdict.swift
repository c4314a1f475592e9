//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What an `errorcode` says.
///
/// 1 to 104 are PAYONE's card table, 2700 to 2704 those of its Apple Pay page, the others below 9000 from the list that its
/// OXID plugin carries (docs/dialects/payone.md, "Error codes"), which has them in groups: the bank's and the risk check's
/// words below 900, the service's own from 900 on, parameters from 1000, accounts and the token from 2000.
enum ErrorVerdict: Hashable, Sendable {
    case declined(DeclineReason)
    case notProcessed(NotProcessedReason)
    case unknown(UnknownReason)

    static let keyIncorrect = 2006
    /// Credentials are right, and the payment process is not there.
    static let txidNotFound = 913

    init(_ code: Int) {
        if let verdict = Self.verdicts[code] {
            self = verdict
            return
        }
        switch code {
        // The bank or the risk check has declined, for a reason that is not distinguished here.
        case 1...899: self = .declined(.unspecified)
        // A parameter, an account or a feature: the request was not taken.
        case 1000...8999: self = .notProcessed(.requestRefused)
        // What this says is not known, and so neither is what was done.
        default: self = .unknown(.unclear)
        }
    }

    private static let verdicts: [Int: ErrorVerdict] = {
        var verdicts: [Int: ErrorVerdict] = [:]
        for (reason, codes) in Self.declines { for code in codes { verdicts[code] = .declined(reason) } }
        for (reason, codes) in Self.refusals { for code in codes { verdicts[code] = .notProcessed(reason) } }
        for (reason, codes) in Self.open { for code in codes { verdicts[code] = .unknown(reason) } }
        return verdicts
    }()

    static let declines: [(reason: DeclineReason, codes: [Int])] = [
        (.doNotHonor, [2, 4, 5, 12, 60, 102, 104, 109]),
        (.insufficientFunds, [51, 921]),
        (.expiredCard, [33]),
        (.invalidCard, [14, 56, 62, 877, 878, 880]),
        (.lostOrStolenCard, [43]),
        (.suspectedFraud, [34, 107, 701, 702, 703, 704, 710, 721, 722, 723, 724, 890]),
        (.exceedsLimit, [13, 65, 891, 917, 918, 919, 920]),
        // 7 is another number of the security code's, by the plugin's list: declined without a reason, as 63 is.
        (.notPermitted, [31, 55, 61]),
        (.issuerUnavailable, [1, 91]),
        (.systemError, [30, 58, 103]),
        // Too much, too late, of another process, or in no state for it.
        (
            .invalidOperation,
            [21, 57, 64, 80, 101, 108, 906, 908, 910, 912, Self.txidNotFound, 915, 926, 950, 951, 952]
        ),
    ]

    static let refusals: [(reason: NotProcessedReason, codes: [Int])] = [
        (.busy, [904, 990, 991, 6502, 900_004, 900_009]),
        // At PAYONE (mid, aid, portalid, key), or PAYONE's at the bank.
        (.notAuthorized, [905, 1203, 1204, 1205, 1206, 2003, 2004, 2005, Self.keyIncorrect, 2007]),
        (
            .requestRefused,
            [
                // The sequence number is not the next one: another request of the payment process is not known here.
                907,
                901, 916, 922, 923, 924, 925, 927, 928, 929, 930, 931, 932, 933, 934, 935, 936, 937, 938, 939, 940,
                941, 944, 945,
                // Another Pomona's own (docs/dialects/payone.md).
                900_001, 900_002, 900_003, 900_007, 900_405, 900_406,
            ]
        ),
        // The amount or the currency is not the token's; its key, its signature or its age; its parts. Then another
        // Pomona's own: used before, and for tests where the account is live.
        (.tokenRefused, [2700, 2701, 2702, 2703, 2704, 900_400, 900_401]),
    ]

    static let open: [(reason: UnknownReason, codes: [Int])] = [
        // "Internal error", "Unknown error with external service provider", "Database connection failed": the bank may have
        // been asked before.
        (.unclear, [900, 902, 909]),
        // The reference is this operation's and nobody else's: a copy of the request has arrived before.
        (.unclear, [911]),
        // "No connection to external service provider possible (timeout, breakdown)", and another Pomona's time limit.
        (.timedOut, [903, 900_005]),
    ]
}
