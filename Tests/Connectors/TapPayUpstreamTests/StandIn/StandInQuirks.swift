//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import TestUpstream

/// What the stand-in is called for.
enum StandInEndpoint: String, Hashable, Sendable, CaseIterable {
    case getPrime = "/tpc/applepay/getprime"
    case pay = "/tpc/payment/pay-by-prime"
    case capture = "/tpc/transaction/cap"
    case cancelCapture = "/tpc/transaction/cap/cancel"
    case refund = "/tpc/transaction/refund"
    case cancelRefund = "/tpc/transaction/refund/cancel"
    case query = "/tpc/transaction/query"
    case history = "/tpc/transaction/trade-history"
}

/// What the vendor's public pages leave open, or what its clients report, and what may be otherwise tomorrow.
struct StandInQuirks: Sendable {
    enum Repeats: Sendable {
        /// With the number of a name that has been used: 6001, 10006 or 10013.
        case refused(Int64)
        /// With the answer of the first.
        case answeredAgain
        /// A fault of the service's: a comparison of books has to find it.
        case booked
    }

    enum KeyRefusal: Sendable, CaseIterable {
        case http401
        case status80
        case status81
    }

    var repeats = Repeats.refused(6001)
    /// Whether a prime is used up by what it pays, so that a copy of the request is refused before its name is looked at.
    var primesPayOnce = true
    var writing = JSONWriting.plain
    var keyRefusal = KeyRefusal.status81
    var partnerKeys: Set<String> = [Bench.partnerKey]
    var appKeys: Set<String> = [Bench.appKey]
    /// So many times `query` lists nothing.
    var hiddenFromQuery = 0
    /// So many times `trade-history` has no refund.
    var hiddenFromHistory = 0
    /// Whether `trade-history` says `bank_refund_id`.
    var namesRefunds = true
    /// Whether it begins with the newest.
    var newestFirst = false
    /// Whether `query` lists every trade whatever the filters say.
    var ignoresFilters = false
    /// Whether a refund is under way until the test says what became of it.
    var refundsTakeTime = false
    /// Whether a payment is, with `record_status` 4.
    var paymentsTakeTime = false
    var faults = StandInFaults<StandInEndpoint>()
}

extension StandInFault {
    /// It is done, and the answer has this number alone.
    static func doneWith(status: Int64) -> StandInFault { .doneBut(StandInAnswers.status(status)) }

    /// Nothing is done, and the answer has this number.
    static func refused(status: Int64, bankCode: String? = nil) -> StandInFault {
        .refused(StandInAnswers.status(status, bankCode: bankCode))
    }
}
