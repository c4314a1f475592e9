//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// What `result.resultCode` says of an answer with the status F.
///
/// AlphaPay documents `SUCCESS`, `PAYMENT_IN_PROCESS` and `ORDER_PAID`, and no list. The other names are those of
/// docs/dialects/alphapay.md, which follow the interfaces that AlphaPay's is modelled on. F alone says that nothing was
/// done; a code adds why, and one that is not listed adds nothing.
enum ResultMeaning: Hashable, Sendable {
    /// The issuer's word, or the card's.
    case declined(DeclineReason)
    /// The request was refused as such, whatever it asked for.
    case notProcessed(NotProcessedReason)
    /// The order cannot be paid any more.
    case orderClosed
    /// The order is in a state that the request does not go with; it may be paid.
    case orderState
    case orderUnknown
    case refundUnknown
    /// Something has been asked for under the same id, and this does not say what became of that.
    case undecided

    init?(_ code: String) {
        guard let meaning = Self.all[code] else { return nil }
        self = meaning
    }

    /// The codes after which the other key is tried: AlphaPay could not verify the request.
    static func isAboutTheKey(_ code: String) -> Bool { ["INVALID_SIGNATURE", "KEY_VERSION_UNKNOWN"].contains(code) }

    static let all: [String: ResultMeaning] = [
        "DO_NOT_HONOR": .declined(.doNotHonor),
        "INSUFFICIENT_FUNDS": .declined(.insufficientFunds),
        "CARD_EXPIRED": .declined(.expiredCard),
        "CARD_INVALID": .declined(.invalidCard),
        "CARD_LOST_OR_STOLEN": .declined(.lostOrStolenCard),
        "RISK_REJECT": .declined(.suspectedFraud),
        "PAYMENT_AMOUNT_EXCEED_LIMIT": .declined(.exceedsLimit),
        "CARD_NOT_PERMITTED": .declined(.notPermitted),
        "CARD_NETWORK_NOT_SUPPORTED": .declined(.notPermitted),
        "ISSUER_UNAVAILABLE": .declined(.issuerUnavailable),
        "CHANNEL_TIMEOUT": .declined(.timedOut),
        "CHANNEL_SYSTEM_ERROR": .declined(.systemError),
        "CHANNEL_REFUSED": .declined(.invalidOperation),
        "PROCESS_FAIL": .declined(.unspecified),
        "TAKEN_BACK": .declined(.systemError),

        "CHANNEL_UNAVAILABLE": .notProcessed(.busy),
        "REQUEST_INCOMPLETE": .notProcessed(.busy),
        "REQUEST_TRAFFIC_EXCEED_LIMIT": .notProcessed(.busy),
        "SYSTEM_BUSY": .notProcessed(.busy),

        "ACCOUNT_NOT_CONFIGURED": .notProcessed(.notAuthorized),
        "HEADER_MISSING": .notProcessed(.notAuthorized),
        "INVALID_MERCHANT_CODE": .notProcessed(.notAuthorized),
        "INVALID_SIGNATURE": .notProcessed(.notAuthorized),
        "KEY_VERSION_UNKNOWN": .notProcessed(.notAuthorized),
        "NONCE_MALFORMED": .notProcessed(.notAuthorized),
        "REQUEST_TIME_MALFORMED": .notProcessed(.notAuthorized),
        "SIGNATURE_ALGORITHM_NOT_SUPPORTED": .notProcessed(.notAuthorized),
        "SIGNATURE_MALFORMED": .notProcessed(.notAuthorized),
        "SIGN_TIMEOUT": .notProcessed(.notAuthorized),

        "APPLE_PAY_AMOUNT_MISMATCH": .notProcessed(.tokenRefused),
        "APPLE_PAY_CURRENCY_MISMATCH": .notProcessed(.tokenRefused),
        "APPLE_PAY_MODE_MISMATCH": .notProcessed(.tokenRefused),
        "APPLE_PAY_TOKEN_INVALID": .notProcessed(.tokenRefused),
        "APPLE_PAY_TOKEN_REPEATED": .notProcessed(.tokenRefused),

        "CHANNEL_MISCONFIGURED": .notProcessed(.requestRefused),
        "CHANNEL_NOT_CONNECTED": .notProcessed(.requestRefused),
        "CURRENCY_NOT_SUPPORT": .notProcessed(.requestRefused),
        "INVALID_API": .notProcessed(.requestRefused),
        "JSON_MALFORMED": .notProcessed(.requestRefused),
        "MEDIA_TYPE_NOT_SUPPORTED": .notProcessed(.requestRefused),
        "MERCHANT_IDENTIFIER_UNKNOWN": .notProcessed(.requestRefused),
        "MERCHANT_NOT_READY": .notProcessed(.requestRefused),
        "METHOD_NOT_SUPPORTED": .notProcessed(.requestRefused),
        "PARAM_ILLEGAL": .notProcessed(.requestRefused),
        "REQUEST_TOO_LARGE": .notProcessed(.requestRefused),

        "ORDER_CANCELED": .orderClosed,
        "ORDER_EXPIRED": .orderClosed,
        "ORDER_NOT_PAID": .orderState,
        "ORDER_PAID": .orderState,
        "ORDER_REFUNDED": .orderState,
        "ORDER_STATUS_INVALID": .orderState,
        "REFUND_AMOUNT_EXCEED": .orderState,
        "REFUND_COUNT_EXCEED": .orderState,
        "ORDER_NOT_EXIST": .orderUnknown,
        "REFUND_NOT_EXIST": .refundUnknown,

        // Each request has a nonce of its own: this very one has come before, however it was repeated on its way.
        "NONCE_REUSED": .undecided,
        "PAYMENT_IN_PROCESS": .undecided,
        "REFUND_IN_PROCESS": .undecided,
        "REPEAT_REQ_INCONSISTENT": .undecided,
        "UNKNOWN_EXCEPTION": .undecided,
    ]
}

extension AlphaPayAnswer {
    /// `nil` for a code that is not listed.
    var meaning: ResultMeaning? { ResultMeaning(self.code) }

    /// Whether it says no, and nobody has published what for.
    var isUnlistedRefusal: Bool { self.status == .failed && self.meaning == nil }

    /// For a log: the code, if it is one that is listed. Any other text may be anything.
    var word: String { self.meaning == nil ? "result_not_listed" : self.code.lowercased() }
}
