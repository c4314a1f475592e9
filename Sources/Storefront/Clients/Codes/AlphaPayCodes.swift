//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients

/// What AlphaPay's `resultStatus`, `resultCode` and statuses say.
enum AlphaPayCodes {
    static func notes(_ body: ReplyBody) -> [CodeNote] {
        [
            CodeNote("result.resultStatus", in: body, Self.statuses),
            CodeNote("result.resultCode", in: body, Self.codes),
            CodeNote("paymentStatus", in: body, Self.payments), CodeNote("refundStatus", in: body, Self.payments),
        ].compactMap { $0 }
    }

    static let statuses: [String: String] = [
        "S": "Done: the call succeeded.",
        "F": "Failed: nothing was done.",
        "U": "Not known yet: ask with inquiryPayment until it is.",
    ]

    static let payments: [String: String] = [
        "SUCCESS": "The money was taken, or given back.",
        "FAILED": "The attempt failed; another token may pay the order until it expires.",
        "PAYMENT_IN_PROCESS": "Not paid yet, or not known yet.",
        "PARTIAL_REFUND": "Paid, and a part was refunded.",
        "FULL_REFUND": "Paid, and all of it was refunded.",
        "REFUND_IN_PROCESS": "The refund is under way.",
    ]

    static let codes: [String: String] = [
        "SUCCESS": "AlphaPay did what it was asked.",
        "PAYMENT_IN_PROCESS": "The order waits for its payment, or the outcome is not known yet.",
        "REFUND_IN_PROCESS": "The refund is under way; ask with inquiryRefund.",
        "UNKNOWN_EXCEPTION": "AlphaPay took too long. What became of it must be asked.",
        "SYSTEM_BUSY": "AlphaPay cannot take the request now. Nothing was done.",
        "INVALID_SIGNATURE": "The Signature does not fit the request.",
        "SIGN_TIMEOUT": "Request-Time is too far from AlphaPay's clock.",
        "NONCE_REUSED": "The Nonce was used before.",
        "PARAM_ILLEGAL": "A field is missing or malformed.",
        "CURRENCY_NOT_SUPPORT": "AlphaPay takes Canadian dollars only.",
        "REPEAT_REQ_INCONSISTENT": "The same request id came with other contents.",
        "ORDER_NOT_EXIST": "There is no order with this paymentId.",
        "ORDER_EXPIRED": "The order has expired. A new preOrder is needed.",
        "ORDER_PAID": "The order has been paid before.",
        "ORDER_REFUNDED": "All of the payment has been refunded before.",
        "REFUND_AMOUNT_EXCEED": "The refund is more than what is left.",
        "APPLE_PAY_TOKEN_INVALID": "The token was not genuine, or could not be opened.",
        "APPLE_PAY_TOKEN_REPEATED": "The token was used before. A token pays once.",
        "APPLE_PAY_AMOUNT_MISMATCH": "The order's amount is not the one in the token.",
        "APPLE_PAY_CURRENCY_MISMATCH": "The order's currency is not the one in the token.",
        "CARD_NETWORK_NOT_SUPPORTED": "The merchant does not take cards of this network.",
        "DO_NOT_HONOR": "The card's issuer declined and gives no reason.",
        "INSUFFICIENT_FUNDS": "There is not enough money in the card's account.",
        "CARD_EXPIRED": "The card has expired.",
        "CARD_INVALID": "The issuer does not know the card.",
        "CARD_LOST_OR_STOLEN": "The card is reported lost or stolen.",
        "CARD_NOT_PERMITTED": "The card does not permit this kind of payment.",
        "PAYMENT_AMOUNT_EXCEED_LIMIT": "The amount exceeds a limit of the card.",
        "RISK_REJECT": "It was declined on suspicion of fraud.",
        "ISSUER_UNAVAILABLE": "The card's issuer cannot be reached. Nothing was charged.",
        "CHANNEL_TIMEOUT": "The issuer gave no answer in time. Nothing was charged.",
        "CHANNEL_SYSTEM_ERROR": "The acquirer's system failed. Nothing was charged.",
        "CHANNEL_REFUSED": "The acquirer does not allow this for the payment.",
        "PROCESS_FAIL": "The acquirer declined without a reason.",
        "TAKEN_BACK": "The outcome could not be known, so it was taken back. Nothing was charged.",
    ]
}
