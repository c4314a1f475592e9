//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients

/// What CommWeb's `result`, `gatewayCode` and order status say (Mastercard gateway, API reference).
enum CommWebCodes {
    static func notes(_ body: ReplyBody) -> [CodeNote] {
        [
            CodeNote("result", in: body, Self.results), CodeNote("error.cause", in: body, Self.causes),
            CodeNote("response.gatewayCode", in: body, Self.gatewayCodes),
            CodeNote("response.acquirerCode", in: body, ISOResponseCodes.meanings),
            CodeNote("order.status", in: body, Self.orders),
        ].compactMap { $0 }
    }

    static let results: [String: String] = [
        "SUCCESS": "The operation was done.",
        "FAILURE": "The operation was declined or taken back.",
        "PENDING": "Under way: the outcome is not known yet.",
        "UNKNOWN": "Nobody knows the outcome yet. Retrieve the transaction until it is known.",
        "ERROR": "The request was refused before anything was done.",
    ]

    static let causes: [String: String] = [
        "INVALID_REQUEST": "A field is wrong or missing, or the order is in no state for this.",
        "REQUEST_REJECTED": "The gateway refused the request.",
        "SERVER_BUSY": "The gateway cannot take the request now. Nothing was done.",
        "SERVER_FAILED": "The gateway failed. Ask for the transaction.",
    ]

    static let orders: [String: String] = [
        "AUTHORIZED": "The amount is reserved on the card and can be captured.",
        "CANCELLED": "The reservation was given back.",
        "CAPTURED": "The money was taken.",
        "PARTIALLY_CAPTURED": "A part of the reservation was taken.",
        "PARTIALLY_REFUNDED": "A part was given back.",
        "REFUNDED": "All of it was given back.",
        "FAILED": "The payment was not successful.",
        "INITIATED": "The order has begun; nothing is reserved.",
        "VERIFIED": "The card was verified; nothing is reserved.",
    ]

    static let gatewayCodes: [String: String] = [
        "APPROVED": "The issuer approved.",
        "APPROVED_AUTO": "Approved by the gateway itself; no issuer was asked.",
        "PARTIALLY_APPROVED": "Approved for less than was asked for.",
        "ACQUIRER_SYSTEM_ERROR": "The acquirer's system failed. Nothing was charged.",
        "ABORTED": "The payer gave up.",
        "BLOCKED": "Blocked by a rule against fraud.",
        "CANCELLED": "The payer canceled.",
        "DECLINED": "The card's issuer declined. Another card may work.",
        "DECLINED_DO_NOT_CONTACT": "The issuer declined, and it does not want to be asked why.",
        "EXPIRED_CARD": "The card has expired.",
        "INSUFFICIENT_FUNDS": "There is not enough money in the card's account.",
        "LOCK_FAILURE": "Another operation of the order is under way.",
        "NOT_SUPPORTED": "This kind of operation is not offered.",
        "PENDING": "The acquirer has been asked and has not answered yet.",
        "REFERRED": "The issuer wants to be called before it decides.",
        "SUBMITTED": "It was sent to the acquirer, and nothing is known yet.",
        "SYSTEM_ERROR": "The gateway failed.",
        "TIMED_OUT": "The acquirer gave no answer in time; the gateway takes the operation back.",
        "UNKNOWN": "The outcome is not known yet. Money may have moved.",
        "UNSPECIFIED_FAILURE": "It could not be done, and no reason was given.",
    ]
}
