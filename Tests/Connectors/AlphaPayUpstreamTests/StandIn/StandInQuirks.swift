//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import TestUpstream

/// What the stand-in is called for.
enum StandInEndpoint: String, Hashable, Sendable, CaseIterable {
    case preOrder = "/api/v2.0/payments/apple-pay/preOrder"
    case pay = "/api/v2.0/payments/apple-pay/pay"
    case inquiry = "/api/v2.0/payments/inquiryPayment"
    case refund = "/api/v2.0/payments/refund"
    case refundInquiry = "/api/v2.0/payments/inquiryRefund"
    case cancel = "/api/v2.0/payments/cancel"
    case transactions = "/api/v2.0/payments/transactions"
}

/// What AlphaPay's public pages leave open. Its list of result codes is one of these: but for SUCCESS,
/// PAYMENT_IN_PROCESS and ORDER_PAID the stand-in's are names that nobody has published.
struct StandInQuirks: Sendable {
    enum Repeats: Sendable {
        case refused
        /// With the answer of the first.
        case answeredAgain
        /// A fault of the service's: a comparison of books has to find it.
        case booked
    }

    /// How an answer is signed.
    enum Signing: Sendable, CaseIterable {
        case plain
        /// As the vendor's page shows it, with blanks behind the commas.
        case withBlanks
        case lowerCaseEscapes
        /// The vendor's own library takes these three.
        case none
        case withoutTime
        case withoutNonce
        case byAStranger
        case ofAnotherPath
        case ofAnotherBody

        var isGenuine: Bool {
            switch self {
            case .plain, .withBlanks, .lowerCaseEscapes: true
            case .none, .withoutTime, .withoutNonce, .byAStranger, .ofAnotherPath, .ofAnotherBody: false
            }
        }
    }

    var repeats = Repeats.refused
    /// Whether a copy of a request is refused for its nonce, before anybody looks at what it asks for.
    var checksNonces = true
    var writing = JSONWriting.plain
    var signing = Signing.plain
    /// Whose requests are taken.
    var merchantKey: Keys.Pair?
    /// Whether a refusal of the merchant's key is signed.
    var signsKeyRefusals = true
    /// So many times an inquiry finds no such order, or no such refund.
    var hidden = 0
    /// Whether `inquiryRefund` wants `refundId`, as its page says.
    var needsRefundID = false
    /// Whether a refund is under way until the test says what became of it.
    var refundsTakeTime = false
    var faults = StandInFaults<StandInEndpoint>()
}

extension StandInFault {
    /// It is done, and the answer says this alone.
    static func doneBut(_ status: String, _ code: String) -> StandInFault {
        .doneBut(StandInAnswers.result(status, code))
    }

    /// Nothing is done, and the answer says this.
    static func refused(_ status: String, _ code: String) -> StandInFault {
        .refused(StandInAnswers.result(status, code))
    }
}
